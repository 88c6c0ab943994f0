/** Loading of a page's code: bounded in time; what does not load leads back to where one came from. */
import { CHUNK_LOAD_TIMEOUT } from '@gatehouse/contract'
import { clientRefusal } from '../api/refusal.ts'
import type { LoadPage, PageComponent } from '../pages.ts'

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

/** Pages that did not load in this document. */
const failed = new WeakSet<LoadPage>()

export interface Ways {
  /** Back to where one came from. */
  leave(): void
  /** To where one wants to go, in a new document. */
  afresh(): void
}

/**
 * The page's component. What does not load is left, and is still an error. Another try takes a new document: browsers keep
 * a module that did not load as it is for as long as the document is there.
 */
export async function loadPage(load: LoadPage, { leave, afresh }: Ways): Promise<PageComponent> {
  if (failed.has(load)) {
    afresh()
    return new Promise(() => {})
  }
  try {
    return (await withTimeout(load)).default
  } catch (error) {
    failed.add(load)
    leave()
    throw error
  }
}
