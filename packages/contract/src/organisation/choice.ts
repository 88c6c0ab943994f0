import { z } from 'zod'

/** One of some numbers. That it is missing is said otherwise than that it is none of them. */
export const choice = <const T extends number>(values: readonly T[]) => z.number().meta({ enum: values }).pipe(z.literal(values))
