/** Loading of a page's code: bounded in time; what does not load leads back to where one came from. */
import { CHUNK_LOAD_TIMEOUT } from '@gatehouse/contract'
import { clientRefusal } from '../kit/refusal.ts'
import type { LoadPage } from '../routes.tsx'

/**
 * Rejects with CHUNK_LOAD_TIMEOUT when the code has not come after `seconds`.
 *
 * @param load imports the page
 */
async function withTimeout<T>(load: () => Promise<T>, seconds: number = CHUNK_LOAD_TIMEOUT): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(clientRefusal('CHUNK_LOAD_TIMEOUT')), seconds * 1000)
  })
  return Promise.race([load(), late]).finally(() => clearTimeout(timer))
}

/** The page's component. What does not load calls `leave` and is still an error, so that another try loads it afresh. */
export async function loadPage(load: LoadPage, leave: () => void): Promise<Awaited<ReturnType<LoadPage>>['default']> {
  try {
    return (await withTimeout(load)).default
  } catch (error) {
    leave()
    throw error
  }
}
