import { z } from 'zod'

/** An id as protocol 1 says it: any short text, which stays so for devices that are installed already. */
export const id = z.string().min(1).max(64)
