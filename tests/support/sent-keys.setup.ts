/** After each browser test: its pages have sent nothing the contract does not know. */
import { afterEach } from 'vitest'
import { takeOddKeys } from './sent-keys.ts'

afterEach(() => {
  const odd = takeOddKeys()
  if (odd.length > 0) throw new Error(`The console sent keys that the contract does not know:\n${odd.join('\n')}`)
})
