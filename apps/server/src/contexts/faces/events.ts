import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Photographs of persons changed, or how they are compared: searches in memory and devices read them anew. */
export const facesChanged = defineEvent('faces.changed', z.object({ personIds: z.array(z.string()) }))
/** Templates of a model were made of photographs that were there before. */
export const templatesMade = defineEvent('faces.templatesMade', z.object({ modelId: z.string(), personIds: z.array(z.string()) }))
/** The park compares faces more or less strictly from now on. */
export const facePolicyChanged = defineEvent('faces.policyChanged', z.object({}))
/** All photographs of the park are gone. */
export const facesErased = defineEvent('faces.erased', z.object({}))
