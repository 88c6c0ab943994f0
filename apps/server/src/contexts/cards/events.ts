import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Cards of these persons came into force, or went out of force. */
export const cardsChanged = defineEvent('cards.changed', z.object({ personIds: z.array(z.string()) }))
/** Palms of these persons were registered, or deleted. */
export const palmsChanged = defineEvent('cards.palmsChanged', z.object({ personIds: z.array(z.string()) }))
