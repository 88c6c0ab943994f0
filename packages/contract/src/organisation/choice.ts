import { z } from 'zod'

/** Return a schema for one of several numbers. A missing value is reported by another rule than a wrong one. */
export const choice = <const T extends number>(values: readonly T[]) => z.number().meta({ enum: values }).pipe(z.literal(values))
