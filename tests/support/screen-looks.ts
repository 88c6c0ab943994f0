/** What can be said of any screen as it stands: whether it is complete, what went wrong meanwhile, what it says, where the keyboard leads. */
import type { Page } from 'playwright-core'
import { PERMISSION_CODES } from '@gatehouse/contract'
import { until } from './until.ts'

/** Follows what a page asks and complains of. */
export interface Watch {
  /** What went wrong since this was asked last. */
  takeFaults(): Promise<string[]>
  /** Waits until the screen is complete: nothing turns, nothing is asked, and the page has nothing left to do. */
  settled(what: string): Promise<void>
}

/** A request that was given up because the page had gone on. */
const GIVEN_UP = 'net::ERR_ABORTED'
/** The router's warning that it cannot ask before it leaves for an address that was typed, which is how a walk goes. */
const TYPED_ADDRESS = 'You are trying to use a blocker on a POP navigation'

/** Resolves once the page is idle and has drawn; whether a title is there and nothing stands in for what is still to come. */
const COMPLETE = `(async () => {
  await new Promise((done) => requestIdleCallback(done, { timeout: 5000 }))
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const seen = (selector) => [...document.querySelectorAll(selector)].some((element) => element.checkVisibility())
  return seen('h1') && !seen('.ant-skeleton, .ant-spin-spinning, .ant-btn-loading, [data-refreshing], [aria-busy="true"], [data-row-key^="skeleton-"], [role="progressbar"]:not(.ant-progress)')
})()`

export function watch(page: Page): Watch {
  let faults: Promise<string | null>[] = []
  const asked = new Set<object>()
  let answers = 0
  const say = (fault: string): void => void faults.push(Promise.resolve(fault))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.text().startsWith(TYPED_ADDRESS)) say(`console: ${message.text()}`)
  })
  page.on('pageerror', ({ message }) => say(`uncaught: ${message}`))
  page.on('request', (request) => void asked.add(request))
  page.on('requestfailed', (request) => {
    asked.delete(request)
    const why = request.failure()?.errorText
    if (why !== GIVEN_UP) say(`${why}: ${request.method()} ${request.url()}`)
  })
  page.on('requestfinished', (request) => {
    asked.delete(request)
    answers++
  })
  page.on('response', (response) => {
    const [status, from] = [response.status(), `${response.request().method()} ${response.url()}`]
    if (status >= 400) return say(`${status}: ${from}`)
    if (/json/.test(response.headers()['content-type'] ?? ''))
      faults.push(refusalIn(response).then((code) => code && `refused with ${code}: ${from}`))
  })
  return {
    async takeFaults() {
      const taken = faults
      faults = []
      return (await Promise.all(taken)).filter((fault) => fault !== null)
    },
    settled: (what) =>
      until(`${what} to be complete`, async () => {
        const before = answers
        return asked.size === 0 && (await page.evaluate(COMPLETE)) === true && asked.size === 0 && answers === before
      }).then(() => {}),
  }
}

/** The code of an answer that says no; null for every other, and where the page has gone on before it was read. */
async function refusalIn(response: { json(): Promise<unknown> }): Promise<string | null> {
  const { code } = ((await response.json().catch(() => null)) ?? {}) as { code?: number }
  return typeof code === 'number' && code !== 0 && code !== 200 ? String(code) : null
}

/**
 * Every text of the page, each as it stands in the markup: what is seen, and what is read out or shown under the pointer. What stands in
 * `<code>` is meant as it is: names of permissions, jobs and files.
 */
const TEXTS = `(() => {
  const texts = [document.title]
  const seen = (element) => element.checkVisibility() && !element.closest('code, kbd, pre, script, style')
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) if (/\\S/.test(nodes.currentNode.data) && seen(nodes.currentNode.parentElement)) texts.push(nodes.currentNode.data.trim())
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
    if (seen(element)) texts.push(...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name)?.trim()).filter(Boolean))
  return texts
})()`

export const textsOf = async (page: Page): Promise<string[]> => [...new Set((await page.evaluate(TEXTS)) as string[])]

/** The bare name of a text, as it stands where the text lacks: `feature:part.name`, or one word `likeThis`. */
const NAME_OF_TEXT = /\b(?:[a-z]\w*:)?[a-z]+[A-Za-z]*\.[a-z]+[A-Za-z.]*\b|^[a-z]+[A-Z][A-Za-z]*$/g
const CODES = new Set<string>(PERMISSION_CODES)
/** What looks like one and is meant: codes of permissions, addresses of examples. */
const isMeant = (name: string): boolean => CODES.has(name) || name.endsWith('example.org')
export const namesOfTexts = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.match(NAME_OF_TEXT) ?? []).filter((name) => !isMeant(name))

/** What a face engine says of itself comes with its files, in English. */
const OF_AN_ENGINE = /^Built in\b|\d photographs of \d|^face recognition net\b/
/** Texts with two words of English in a row, and without a sign of Chinese. */
export const englishIn = (texts: readonly string[]): string[] =>
  texts.filter((text) => !/\p{Script=Han}/u.test(text) && /\b[A-Za-z]{2,} [a-z]{2,}\b/.test(text) && !OF_AN_ENGINE.test(text))

/** Places the keyboard has to reach, by name; null where the screen has none. */
const PLACES = `({
  'its main action': [...document.querySelectorAll('main .ant-btn-primary')],
  'its first filter': [...document.querySelectorAll('main [role="search"] input, main [role="search"] button')],
})`

/** Stops on the way through a page, at most. */
const STOPS = 150
/** Keys pressed before anybody looks. */
const STRIDE = 6

/**
 * Goes by the Tab key from the beginning of the main part. The key does nothing where a place has been reached, so that it can be
 * pressed several times in a row.
 */
const BEGIN = `(() => {
  const look = (element) => [0, 1, 2].map(() => { const one = element; element = element?.parentElement; if (!one) return ''
    const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(one); return [outline, boxShadow, borderColor, backgroundColor].join() }).join('|')
  const walk = globalThis.walk ??= (() => {
    const walk = { places: new Map() }
    addEventListener('keydown', (event) => {
      if (event.key === 'Tab' && walk.places.has(document.activeElement)) { event.preventDefault(); event.stopImmediatePropagation() }
    }, true)
    return walk
  })()
  walk.look = look
  const first = (elements) => elements.find((element) => element.checkVisibility() && !element.disabled)
  document.activeElement?.blur()
  const main = [...document.querySelectorAll('main')].find((element) => element.checkVisibility())
  walk.places = new Map(Object.entries(${PLACES}).map(([name, elements]) => [first(elements), { name, before: '' }]).filter(([element]) => element))
  for (const [element, place] of walk.places) place.before = look(element)
  if (main?.tabIndex === -1 && main.hasAttribute('tabindex')) main.focus()
  else getSelection().setPosition(main ?? document.body, 0)
  return walk.places.size
})()`

/** Takes the place the focus stands on: how many are left, and what is wrong with it. */
const REACHED = `(async () => {
  const { walk } = globalThis
  const element = document.activeElement
  const place = walk.places.get(element)
  const left = !element || element === document.body || !document.querySelector('main')?.contains(element)
  let fault = null
  if (place) {
    walk.places.delete(element)
    await Promise.allSettled(element.getAnimations().map(({ finished }) => finished))
    if (!element.matches(':focus-visible') || walk.look(element) === place.before) fault = place.name + ' does not show that it has the focus'
  }
  return { count: walk.places.size, fault, left, names: [...walk.places.values()].map(({ name }) => name) }
})()`

/** What the keyboard does not reach of a screen's main action and first filter, or not visibly. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const faults: string[] = []
  let names = (await page.evaluate(BEGIN)) as number
  for (let stops = 0; names > 0 && stops < STOPS; stops += STRIDE) {
    for (let key = 0; key < STRIDE; key++) await page.keyboard.press('Tab')
    const reached = (await page.evaluate(REACHED)) as { count: number; fault: string | null; left: boolean; names: string[] }
    if (reached.fault !== null) faults.push(reached.fault)
    names = reached.count
    if (names > 0 && (reached.left || stops + STRIDE >= STOPS))
      return [...faults, `no way by the Tab key to ${reached.names.join(' and ')}`]
  }
  return faults
}
