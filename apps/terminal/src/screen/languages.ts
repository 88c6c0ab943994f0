/** The choice of language: a button that opens a list of three, which closes by itself. */
import { element } from './view.ts'
import { LANGUAGES, type Language } from './texts.ts'

const NAMES: Record<Language, string> = { 'zh-CN': '简体中文', 'zh-TW': '繁體中文', en: 'English' }
/** Milliseconds the list stays open without a choice. */
const PATIENCE = 15_000

/** @param onChoice called when a language is chosen */
export function offerLanguages(onChoice: (language: Language) => void): void {
  const opener = element<HTMLButtonElement>('language')
  const list = element('languages')
  let closing: ReturnType<typeof setTimeout> | undefined

  const choices = LANGUAGES.map((language) => {
    const choice = document.createElement('button')
    choice.type = 'button'
    choice.lang = language
    choice.textContent = NAMES[language]
    choice.addEventListener('click', () => {
      onChoice(language)
      open(false)
      opener.focus()
    })
    return choice
  })
  list.append(...choices)

  function open(isOpen: boolean): void {
    clearTimeout(closing)
    list.hidden = !isOpen
    opener.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) return
    closing = setTimeout(() => open(false), PATIENCE)
    for (const choice of choices) choice.setAttribute('aria-pressed', String(choice.lang === document.documentElement.lang))
    choices.find(({ lang }) => lang === document.documentElement.lang)?.focus()
  }

  /** Move the focus in the list, which wraps around. */
  function step(by: number): void {
    const place = choices.indexOf(document.activeElement as HTMLButtonElement)
    choices.at((place + by) % choices.length)?.focus()
  }

  opener.addEventListener('click', () => open(list.hidden !== false))
  list.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    step(event.key === 'ArrowDown' ? 1 : -1)
  })
  const menu = opener.parentElement!
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || list.hidden) return
    open(false)
    opener.focus()
  })
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) open(false)
  })
}
