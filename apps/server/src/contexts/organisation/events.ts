import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** The tree, a zone or a flag changed: every node reads it again. */
export const organisationChanged = defineEvent('organisation.changed', z.object({ id: z.string() }))
