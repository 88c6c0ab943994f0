/** Initial values of the form of a strategy. */
import type { InputOf } from '@gatehouse/contract'
import { USUAL_METHODS, type Strategy, type strategyFields } from '@gatehouse/contract/strategies/calls'
import { authorisedObject } from '@gatehouse/contract/enums/access'

export type StrategyValues = Partial<InputOf<typeof strategyFields>>

export const newStrategy = (): StrategyValues => ({
  kind: 'staff',
  authorizedObject: authorisedObject.person,
  personIds: [],
  personGroupIds: [],
  deviceIds: [],
  deviceGroupIds: [],
  accessGroupIds: [],
  timeRuleIds: [],
  methods: [...USUAL_METHODS],
  validFrom: null,
  validTo: null,
  isDefault: false,
})

export const strategyValuesOf = (strategy: Strategy): StrategyValues => ({
  name: strategy.name,
  kind: strategy.kind as StrategyValues['kind'],
  authorizedObject: strategy.authorizedObject,
  personIds: strategy.personIds,
  personGroupIds: strategy.personGroupIds,
  deviceIds: strategy.deviceIds,
  deviceGroupIds: strategy.deviceGroupIds,
  accessGroupIds: strategy.accessGroupIds,
  timeRuleIds: strategy.timeRuleIds,
  methods: strategy.methods,
  validFrom: strategy.validFrom,
  validTo: strategy.validTo,
  isDefault: strategy.isDefault,
})
