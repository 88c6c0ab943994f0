/** What of a person and of a passage the settings let the screen show. */
import type { ToldState, ToldVerdict } from '../http/disclosure.ts'

/** A verdict as an answer or an event tells it. */
export type ShownVerdict = ToldVerdict & { message?: string }

type Field = ToldState['settings']['values']['displayFields'][number]
export interface Shown {
  fields: readonly Field[]
  unit: ToldState['settings']['values']['temperatureUnit']
  language: string
  /** Zone of the time; null: the browser's. */
  zone: string | null
}

/** Before the terminal has said what it is set to: nothing that could be too much. */
export const NOTHING_SHOWN: Shown = { fields: [], unit: 'C', language: 'en', zone: null }

/** A temperature in the unit asked for. @param celsius degrees, as everywhere below the screen */
export function temperatureInWords(celsius: number, { unit, language }: Pick<Shown, 'unit' | 'language'>): string {
  const value = unit === 'F' ? (celsius * 9) / 5 + 32 : celsius
  return `${new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value)} °${unit}`
}

/** Number, temperature and time of a passage, as far as they are shown. */
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
