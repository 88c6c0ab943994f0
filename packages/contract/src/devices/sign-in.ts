/** How devices sign in. */
import { z } from 'zod'

export const deviceSignIn = z.object({
  /** Whether a device may still send its secret; otherwise it has to prove that it knows it. */
  secretsTaken: z.boolean(),
})
