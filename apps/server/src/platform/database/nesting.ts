/**
 * At most one open transaction in a chain of calls. A second one would wait for ever: for a connection that the first keeps, or for a
 * lock that the first releases when it ends. So it is refused at once. Code that needs one more write takes the open transaction as an
 * argument.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

const chain = new AsyncLocalStorage<{ open: boolean }>()

/** Return whether the running chain of calls has an open transaction. */
export const isInTransaction = (): boolean => chain.getStore()?.open === true

/** Assert that no transaction is open. @throws where the running chain of calls has one open */
export function assertNotInTransaction(): void {
  if (isInTransaction())
    throw new Error('a transaction is opened within a transaction of the same chain of calls: hand down the one that is open instead')
}

/** Run the work of a transaction. Asynchronous work that it starts and that outlives it may open another one. */
export async function asTransaction<T>(work: () => Promise<T>): Promise<T> {
  const here = { open: true }
  try {
    return await chain.run(here, work)
  } finally {
    here.open = false
  }
}
