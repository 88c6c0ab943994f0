/** After each browser test: its pages have sent no keys that the contract does not define. */
import { afterEach } from 'vitest'
import { takeOddKeys } from './sent-keys.ts'

afterEach(() => {
  const odd = takeOddKeys()
  if (odd.length > 0) throw new Error(`The console sent keys that the contract does not know:\n${odd.join('\n')}`)
})
