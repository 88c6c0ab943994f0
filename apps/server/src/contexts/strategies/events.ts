/** What this area announces. */
import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Strategies were added, changed or deleted, or lost a member. */
export const strategiesChanged = defineEvent('strategies.changed', z.object({ strategyIds: z.array(z.string()) }))
/** All strategies and rules of the park are gone, and with them persons and devices. */
export const accessErased = defineEvent('access.erased', z.object({}))
export const timeRulesChanged = defineEvent('timeRules.changed', z.object({ timeRuleIds: z.array(z.string()) }))
