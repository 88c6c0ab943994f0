/** The events of a calendar file (iCalendar, RFC 5545) as it writes them: content lines, unfolded, by component. */
import { CalendarUnreadable, type Budget } from './calendar-budget.ts'

export interface Property {
  /** In capitals. */
  name: string
  /** By name in capitals; quotes are taken off. */
  parameters: ReadonlyMap<string, string>
  value: string
}

/** Parts of a text between separators that stand outside quotes. */
function partsOf(text: string, separator: string): string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') quoted = !quoted
    else if (text[at] === separator && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}

/** `NAME;PARAMETER=value:value`; null where a line has no value. */
function propertyOf(line: string): Property | null {
  const [head = '', ...rest] = partsOf(line, ':')
  if (rest.length === 0) return null
  const [name = '', ...parameters] = partsOf(head, ';')
  const named = parameters.map((parameter): [string, string] => {
    const [key = '', ...value] = parameter.split('=')
    return [key.toUpperCase(), value.join('=').replaceAll('"', '')]
  })
  return { name: name.trim().toUpperCase(), parameters: new Map(named), value: line.slice(head.length + 1) }
}

/**
 * Properties of each event, those of what stands within it, such as alarms, left out.
 * @throws CalendarUnreadable for what is no calendar, or has no event
 */
export function eventsOf(text: string, budget: Budget): Property[][] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r\n|\n|\r/)
  const within: string[] = []
  const events: Property[][] = []
  let isCalendar = false
  for (const line of lines) {
    budget.spend(1)
    const property = propertyOf(line)
    if (property === null) continue
    const component = property.value.trim().toUpperCase()
    if (property.name === 'BEGIN') {
      within.push(component)
      isCalendar ||= component === 'VCALENDAR'
      if (component === 'VEVENT') events.push([])
    } else if (property.name === 'END') {
      if (within.at(-1) === component) within.pop()
    } else if (within.at(-1) === 'VEVENT') events.at(-1)!.push(property)
  }
  if (!isCalendar) throw new CalendarUnreadable('calendarUnreadable')
  if (events.length === 0) throw new CalendarUnreadable('calendarEmpty')
  return events
}

const ESCAPED: Readonly<Record<string, string>> = { n: ' ', N: ' ' }

/** A text as it is read: on one line, at most so many characters. */
export function plainText(value: string, most: number): string {
  const text = value.replace(/\\(.)/g, (_, character: string) => ESCAPED[character] ?? character).replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
  return [...text.trim()].slice(0, most).join('')
}
