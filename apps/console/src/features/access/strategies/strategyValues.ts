/** What the form of a strategy starts from. */
import type { InputOf } from '@gatehouse/contract'
import type { Strategy, strategyFields } from '@gatehouse/contract/access/calls'
import { accessMethod, authorisedObject } from '@gatehouse/contract/enums/access'

export type StrategyValues = Partial<InputOf<typeof strategyFields>>

/** Face and card: a person without a photograph has to be able to pass as well (300206). */
const USUAL_METHODS: number[] = [accessMethod.face, accessMethod.card]

export const newStrategy = (): StrategyValues => ({
  kind: 'staff',
  authorisedObject: authorisedObject.person,
  personIds: [],
  personGroupIds: [],
  deviceIds: [],
  deviceGroupIds: [],
  accessGroupIds: [],
  timeRuleIds: [],
  methods: USUAL_METHODS,
  validFrom: null,
  validTo: null,
})

export const strategyValuesOf = (strategy: Strategy): StrategyValues => ({
  name: strategy.name,
  kind: strategy.kind as StrategyValues['kind'],
  authorisedObject: strategy.authorisedObject,
  personIds: strategy.personIds,
  personGroupIds: strategy.personGroupIds,
  deviceIds: strategy.deviceIds,
  deviceGroupIds: strategy.deviceGroupIds,
  accessGroupIds: strategy.accessGroupIds,
  timeRuleIds: strategy.timeRuleIds,
  methods: strategy.methods,
  validFrom: strategy.validFrom,
  validTo: strategy.validTo,
})
