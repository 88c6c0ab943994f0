/** The console's way to the server: a contract call with the session's token, and what each refusal makes the console do. */
import i18next from 'i18next'
import { businessErrorOf, httpStatus, type BusinessError } from '@gatehouse/contract'
import { pendingRequests } from './cancel.ts'
import { toast } from './feedback.tsx'
import { exchange, type AnswerOf, type AnyCall, type PartsOf } from './http.ts'
import { currentPath, goTo } from './navigation.ts'
import { Refusal, sentenceOf } from './refusal.ts'
import { endSession } from './session.ts'
import { freshToken, hasTokens } from './tokens.ts'

export interface RequestOptions {
  /** `inline`: the caller shows the refusal itself, so there is no toast. Default `toast`. */
  errors?: 'toast' | 'inline'
  /** Whether leaving the page cancels it. Default: no. */
  cancellable?: boolean
  signal?: AbortSignal
}
type Arguments<C extends AnyCall> = unknown extends PartsOf<C> ? [parts?: PartsOf<C>, options?: RequestOptions] : [parts: PartsOf<C>, options?: RequestOptions]

/**
 * Sends a call: `await request(peopleCalls.read, { query: { id } })`.
 *
 * @throws Refusal after the console has done what the catalogue says about it (toast, login, 403)
 */
export async function request<C extends AnyCall>(call: C, ...[parts, options = {}]: Arguments<C>): Promise<AnswerOf<C>> {
  const controller = new AbortController()
  const forget = options.cancellable ? pendingRequests.add(controller) : undefined
  options.signal?.addEventListener('abort', () => controller.abort(), { once: true })
  if (options.signal?.aborted) controller.abort()
  try {
    const token = call.permission === 'public' ? undefined : await freshToken()
    return await exchange(call, (parts ?? {}) as PartsOf<C>, { authorization: token && `Bearer ${token}`, signal: controller.signal })
  } catch (error) {
    if (error instanceof Refusal) handle(error, { quiet: call.quiet === true || options.errors === 'inline' })
    throw error
  } finally {
    forget?.()
  }
}

/** What a refusal makes the console do beyond rejecting; texts of point 8.1 of the specification. */
function handle(refusal: Refusal, { quiet }: { quiet: boolean }): void {
  if (refusal.cancelled) return
  const known: BusinessError | undefined = refusal.family === 'business' ? businessErrorOf(Number(refusal.code)) : undefined
  if (refusal.code === 'REFRESH_TOKEN_EXPIRED' || refusal.code === 'REFRESH_TOKEN_MISSING') {
    if (hasTokens() || currentPath() !== '/login') toast('error', sentenceOf(refusal))
    return endSession('/login')
  }
  if (refusal.status === httpStatus.notAuthorised) {
    if (known?.endsSession || !hasTokens()) return endSession(known?.goTo ?? '/login')
    if (currentPath() !== '/home') goTo('/403')
    return
  }
  if (known?.goTo === '/403') return goTo('/403')
  if (known?.goTo) return endSession(known.goTo)
  if (!quiet && !known?.silent) toast('error', spoken(refusal, known))
}

function spoken(refusal: Refusal, known: BusinessError | undefined): string {
  if (known?.showServerMessage && refusal.message) return refusal.message
  const sentence = sentenceOf(refusal)
  const items = refusal.data['items']
  if (!known?.itemsInBrackets || !Array.isArray(items) || items.length === 0) return sentence
  return i18next.t('common:error.itemsThenText', { items: items.map(String).join(i18next.t('common:listSeparator')), text: sentence })
}
