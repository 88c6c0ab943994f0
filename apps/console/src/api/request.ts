/** Calls of the console to the server, with the session's token, and the reaction of the console to each refusal. */
import i18next from 'i18next'
import { businessErrorOf, code, httpStatus, type BusinessError } from '@gatehouse/contract'
import { pendingRequests } from './cancel.ts'
import { confirmed } from './confirmation.ts'
import { toast } from '../kit/feedback.tsx'
import { exchange, type AnswerOf, type AnyCall, type PartsOf } from './http.ts'
import { currentAddress, currentPath, goTo } from '../kit/navigation.ts'
import { Refusal, sentenceOf } from './refusal.ts'
import { screenLink } from './screenLink.ts'
import { endSession, noteSecondFactorMissing, sessionIsOver } from './session.ts'
import { storage } from './storage.ts'
import { freshToken, hasTokens } from './tokens.ts'
import { returnAddress } from './returnAddress.ts'

export interface RequestOptions {
  /**
   * `inline`: the caller shows the refusal itself, so there is no toast. `silent`: there is no toast, and the page stays open,
   * unless the session itself has ended. Default `toast`.
   */
  errors?: 'toast' | 'inline' | 'silent'
  /** Whether leaving the page cancels it. Default: no. */
  cancellable?: boolean
  signal?: AbortSignal
  /** Instead of `fetch`: see `fetchWithProgress`. */
  send?: typeof fetch
}
type Arguments<C extends AnyCall> =
  unknown extends PartsOf<C> ? [parts?: PartsOf<C>, options?: RequestOptions] : [parts: PartsOf<C>, options?: RequestOptions]

/**
 * Send a call: `await request(peopleCalls.read, { query: { id } })`.
 *
 * @throws Refusal after the console has reacted to it as the catalogue demands (toast, login, 403)
 */
export async function request<C extends AnyCall>(call: C, ...[parts, options = {}]: Arguments<C>): Promise<AnswerOf<C>> {
  const controller = new AbortController()
  const forget = options.cancellable ? pendingRequests.add(controller) : undefined
  options.signal?.addEventListener('abort', () => controller.abort(), { once: true })
  if (options.signal?.aborted) controller.abort()
  try {
    const send = async (): Promise<AnswerOf<C>> => {
      const token = call.permission === 'public' ? undefined : await freshToken()
      return exchange(call, (parts ?? {}) as PartsOf<C>, {
        authorization: token && `Bearer ${token}`,
        signal: controller.signal,
        ...(options.send && { send: options.send }),
      })
    }
    return await (call.freshPassword === undefined ? send() : confirmed(send))
  } catch (error) {
    // A call that fails after the session ended: the navigation to another page is under way, and a second one would cancel it.
    const late = call.permission !== 'public' && sessionIsOver()
    if (error instanceof Refusal && !late)
      handle(error, { silent: options.errors === 'silent', quiet: call.quiet === true || options.errors === 'inline' })
    throw error
  } finally {
    forget?.()
  }
}

/** React to a refusal, besides rejecting; texts of point 8.1 of the specification. */
function handle(refusal: Refusal, { quiet, silent }: { quiet: boolean; silent: boolean }): void {
  if (refusal.cancelled) return
  if (screenLink.token() !== undefined) {
    // The session of the browser is not affected, and no user is at the data screen to read a toast.
    if (refusal.status === httpStatus.notAuthorised || refusal.code === httpStatus.userDisabled) screenLink.refuse()
    return
  }
  const businessError: BusinessError | undefined = refusal.family === 'business' ? businessErrorOf(Number(refusal.code)) : undefined
  if (refusal.code === 'REFRESH_TOKEN_EXPIRED' || refusal.code === 'REFRESH_TOKEN_MISSING') {
    if (hasTokens() || currentPath() !== '/login') toast('error', sentenceOf(refusal))
    return leave('/login')
  }
  // The account was disabled after login, as a call or the refresh reports: every other call would fail as well.
  if (refusal.code === httpStatus.userDisabled) {
    toast('error', sentenceOf(refusal))
    return leave('/login')
  }
  // The page that is shown instead explains it.
  if (refusal.fields.some(({ rule }) => rule === 'secondFactorNeeded')) return noteSecondFactorMissing()
  if (refusal.status === httpStatus.notAuthorised) {
    if (refusal.code === code.tokenExpired) toast('info', sentenceOf(refusal))
    if (businessError?.endsSession || !hasTokens()) return leave(businessError?.goTo ?? '/login')
    if (!silent && currentPath() !== '/home') void goTo('/403')
    return
  }
  if (silent) return
  if (businessError?.goTo === '/403') return void goTo('/403')
  if (businessError?.goTo) return leave(businessError.goTo)
  if (!quiet && !businessError?.silent) toast('error', spoken(refusal, businessError))
}

/** End the session. A user who logs in again returns to the page they left. */
function leave(to: string): void {
  if (storage.get('profile') && currentPath() !== '/login') returnAddress.remember(currentAddress())
  endSession(to)
}

function spoken(refusal: Refusal, businessError: BusinessError | undefined): string {
  if (businessError?.showServerMessage && refusal.message) return refusal.message
  const sentence = sentenceOf(refusal)
  const items = refusal.data['items']
  if (!businessError?.itemsInBrackets || !Array.isArray(items) || items.length === 0) return sentence
  return i18next.t('common:error.itemsThenText', { items: items.map(String).join(i18next.t('common:listSeparator')), text: sentence })
}
