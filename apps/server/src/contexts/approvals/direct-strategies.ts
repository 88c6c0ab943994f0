/** Direct strategies, which permit persons at a single door or access group. */
import type { Language } from '@gatehouse/contract'
import { USUAL_METHODS, strategyFields } from '@gatehouse/contract/strategies/calls'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { StrategyService, TimeRuleService } from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'

/** A door or an access group. */
export interface Target {
  id: string
  name: string
  field: 'deviceIds' | 'accessGroupIds'
}

/** Largest number of characters of a strategy's name. */
const NAME_MAX = 32

interface Parts {
  strategies: Pick<StrategyService, 'create'>
  timeRules: Pick<TimeRuleService, 'defaultId'>
}

/** Return the direct strategy of a door or access group, creating it without persons on first use. */
export type DirectStrategy = (scope: Scope, target: Target, language: Language) => Promise<{ id: string; isNew: boolean }>

export function createDirectStrategies(
  { reading }: Pick<ApprovalDependencies, 'reading'>,
  { strategies, timeRules }: Parts,
): DirectStrategy {
  /** Return an unused name for the strategy of a door or access group. */
  async function freeName(scope: Scope, { name }: Target, language: Language): Promise<string> {
    const words = fileTexts(language).directStrategy
    const candidates = ['', ...Array.from({ length: 50 }, (_, at) => ` ${at + 2}`)].map((end) => {
      const room = NAME_MAX - words.replace('{{name}}', '').length - end.length
      return words.replace('{{name}}', () => [...name].slice(0, room).join('').trimEnd()) + end
    })
    const takenNames = await reading.findTakenNames(
      scope,
      candidates.map((one) => one.toLowerCase()),
    )
    return candidates.find((one) => !takenNames.has(one.toLowerCase())) ?? refuse(900004, 'name')
  }

  return async (scope, target, language) => {
    const find = async (): Promise<string | undefined> => (await reading.findDirectStrategies(scope, [target.id])).get(target.id)
    const existing = await find()
    if (existing !== undefined) return { id: existing, isNew: false }
    const fields = strategyFields.parse({
      name: await freeName(scope, target, language),
      [target.field]: [target.id],
      timeRuleIds: [await timeRules.defaultId(scope)],
      methods: [...USUAL_METHODS],
    })
    try {
      return { id: await strategies.create(scope, fields, { directAt: target.id }), isNew: true }
    } catch (error) {
      // Another request may have created it at the same moment.
      const others = await find()
      if (others === undefined) throw error
      return { id: others, isNew: false }
    }
  }
}
