/** Loads a page's code within a time limit; if it fails, the user returns to the previous page. */
import { CHUNK_LOAD_TIMEOUT } from '@gatehouse/contract'
import { clientRefusal } from '../api/refusal.ts'
import type { LoadPage, PageComponent } from '../pages.ts'

/**
 * Load a page. Rejects with CHUNK_LOAD_TIMEOUT when the code has not arrived after `seconds`.
 * @param load imports the page
 */
async function withTimeout<T>(load: () => Promise<T>, seconds: number = CHUNK_LOAD_TIMEOUT): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(clientRefusal('CHUNK_LOAD_TIMEOUT')), seconds * 1000)
  })
  return Promise.race([load(), late]).finally(() => clearTimeout(timer))
}

/** Pages that failed to load in this document. */
const failed = new WeakSet<LoadPage>()

export interface Ways {
  /** Goes back to the previous page. */
  leave(): void
  /** Opens the requested page in a new document. */
  afresh(): void
}

/**
 * Return the page's component. If it fails to load, leave it and rethrow the error. A second try uses a new document: browsers keep
 * the failure of a module for as long as the document is open.
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
