import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Photographs of persons, or how they are compared, changed: searches in memory and devices read them again. */
export const facesChanged = defineEvent('faces.changed', z.object({ personIds: z.array(z.string()) }))
/** Templates of a model were made for existing photographs. */
export const templatesMade = defineEvent('faces.templatesMade', z.object({ modelId: z.string(), personIds: z.array(z.string()) }))
/** The settings or curves by which the park compares faces changed. */
export const facePolicyChanged = defineEvent('faces.policyChanged', z.object({}))
/** All photographs of the park were deleted. */
export const facesErased = defineEvent('faces.erased', z.object({}))
