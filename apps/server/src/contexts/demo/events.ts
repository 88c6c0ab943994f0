import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** The removal of a demo campus began. */
export const demoRemoving = defineEvent('demo.removing', z.object({}))
