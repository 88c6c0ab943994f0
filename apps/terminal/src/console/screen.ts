/** Screen settings that the server does not set: whether the screen shows an installer how each decision came about. */
import { z } from 'zod'
import { read, type ConsoleCalls } from './call.ts'
import type { CheckDetails } from '../settings/check-details.ts'

const change = z.object({ checkDetails: z.union([z.literal(0), z.literal(1)]) })

export function screenCalls(checkDetails: CheckDetails): ConsoleCalls {
  const shown = () => ({ values: { checkDetails: checkDetails.shown() ? 1 : 0 }, sources: { checkDetails: 'local' } })
  return {
    'GET screen': { run: shown },
    'PUT screen': {
      run(request) {
        checkDetails.show(read(request, change).checkDetails === 1)
        return shown()
      },
    },
  }
}
