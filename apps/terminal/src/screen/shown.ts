/** Data of a person and of a passage that the settings let the screen show. */
import type { DisclosedState, verdictFor } from '../http/disclosure.ts'

/** A verdict as in an answer or an event. */
export type ShownVerdict = ReturnType<typeof verdictFor> & { message?: string }

type Field = DisclosedState['settings']['values']['displayFields'][number]
export interface Shown {
  fields: readonly Field[]
  unit: DisclosedState['settings']['values']['temperatureUnit']
  language: string
  /** Zone of the time; null: the browser's. */
  zone: string | null
}

/** Used before the terminal has sent its settings, so that nothing is shown that may have to be hidden. */
export const NOTHING_SHOWN: Shown = { fields: [], unit: 'C', language: 'en', zone: null }

/** Return a temperature in the configured unit. @param celsius degrees, as everywhere outside the screen */
export function temperatureInWords(celsius: number, { unit, language }: Pick<Shown, 'unit' | 'language'>): string {
  const value = unit === 'F' ? (celsius * 9) / 5 + 32 : celsius
  return `${new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)} °${unit}`
}

/** Return number, temperature and time of a passage, as far as they are shown. */
export function detailsOf(verdict: ShownVerdict, shown: Shown): string[] {
  const has = (field: Field) => shown.fields.includes(field)
  const { workNumber, temperature, occurredAt } = verdict
  const time = new Intl.DateTimeFormat(shown.language, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(shown.zone !== null && { timeZone: shown.zone }),
  })
  return [
    ...(workNumber && has('workNumber') ? [workNumber] : []),
    ...(temperature !== null && has('temperature') ? [temperatureInWords(temperature, shown)] : []),
    ...(has('time') ? [time.format(occurredAt)] : []),
  ]
}
