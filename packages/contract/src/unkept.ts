/** What a browser does not keep of a form that is being typed: secrets, and numbers that identify a person. */
import { globalRegistry, type z } from 'zod'
import type { Schema } from './call.ts'
import { definitionOf, maskKindOf } from './masking.ts'

/** Marks a field of a schema as a secret: `secret(z.string())`. Before `.optional()` and the like or after. */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), 'x-secret': true }) as S

/** Whether a schema is marked so, through `optional`, `nullable`, `default` and unions. */
function isSecret(schema: Schema): boolean {
  if ((globalRegistry.get(schema as never) as { 'x-secret'?: true } | undefined)?.['x-secret'] === true) return true
  const { innerType, in: input, options } = definitionOf(schema)
  return [innerType, input, ...(options ?? [])].some((inner) => inner !== undefined && isSecret(inner))
}

/** Fields of a call's body that no draft keeps. */
export function unkeptFieldsOf(schema: Schema | undefined): string[] {
  const shape = (schema === undefined ? undefined : definitionOf(schema).shape) ?? {}
  return Object.entries(shape).flatMap(([name, field]) => (isSecret(field) || maskKindOf(field) === 'idNumber' ? [name] : []))
}
