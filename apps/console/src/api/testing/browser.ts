/** For unit tests: a stand-in for the parts of a browser that the console uses. */
import i18next from 'i18next'
import { vi } from 'vitest'
import errors from '@gatehouse/contract/i18n/en/errors.json' with { type: 'json' }
import common from '../../i18n/en/common.json' with { type: 'json' }

/** Return a `Storage` in memory, whose keys are its own properties as in a browser. */
function memory(): Storage {
  const rows = {} as Storage
  const methods = {
    getItem: (key: string): string | null => (rows[key] as string | undefined) ?? null,
    setItem: (key: string, value: string) => void (rows[key] = value),
    removeItem: (key: string) => void delete rows[key],
    clear: () => Object.keys(rows).forEach((key) => delete rows[key]),
    key: (at: number) => Object.keys(rows)[at] ?? null,
  }
  return new Proxy(rows, { get: (target, key) => Reflect.get(key in methods ? methods : target, key) })
}

export interface SentRequest {
  method: string
  /** Path and query. */
  address: string
  headers: Headers
  body: BodyInit | null | undefined
}

export interface FakeBrowser {
  /** Requests in the order they were sent. */
  sent: SentRequest[]
  /** Answer the next request with this; without an answer, a request fails as if there were no server. */
  answer(body: object, init?: ResponseInit): void
  /** Refuse the next request as the server does. */
  refuse(status: number, code: number, more?: object): void
}

/** Replace storage, `document.documentElement.lang` and `fetch`, and load the English texts. */
export async function fakeBrowser(language = 'en'): Promise<FakeBrowser> {
  vi.stubGlobal('localStorage', memory())
  vi.stubGlobal('sessionStorage', memory())
  vi.stubGlobal('document', { documentElement: { lang: language } })
  const answers: Response[] = []
  const sent: SentRequest[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push({ address, method: init.method ?? 'GET', headers: new Headers(init.headers), body: init.body })
    const next = answers.shift()
    if (!next) throw new TypeError('no server')
    return next
  })
  const answer = (body: object, init?: ResponseInit): void => void answers.push(Response.json(body, init))
  await i18next.init({
    lng: 'en',
    ns: ['common', 'errors'],
    defaultNS: 'common',
    resources: { en: { common, errors } },
    interpolation: { escapeValue: false },
  })
  return { sent, answer, refuse: (status, code, more = {}) => answer({ code, message: 'as the server says', ...more }, { status }) }
}
