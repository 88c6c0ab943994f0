import { z } from 'zod'

/** An id of protocol 1: any short text; this cannot change, because devices with this protocol are installed already. */
export const id = z.string().min(1).max(64)
