/** The receipt as a page of its own, to print or hand out: no script, nothing fetched, everything escaped. */
import { offsetMinutes } from '@gatehouse/access-rules'
import type { Language } from '@gatehouse/contract'
import type { Erasure } from '@gatehouse/contract/privacy/calls'
import type { FileAnswer } from '../../platform/context.ts'
import type { Park } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!)

const STYLE = [
  'body{font:15px/1.6 system-ui,"Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;color:#1f1f1f;',
  'max-width:46rem;margin:3rem auto;padding:0 1.5rem}\n',
  'h1{font-size:1.5rem;margin:0 0 .25rem}',
  '.number{font:600 1.75rem/1.4 ui-monospace,Consolas,monospace;letter-spacing:.06em;margin:0 0 1.5rem}\n',
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.5rem;margin:0 0 2rem}dt{color:#595959}',
  'dd{margin:0;overflow-wrap:anywhere}\n',
  'table{border-collapse:collapse;width:100%}',
  'th,td{text-align:left;padding:.45rem .75rem .45rem 0;border-bottom:1px solid #d9d9d9;vertical-align:top}\n',
  'th{font-weight:600}td.count{font-variant-numeric:tabular-nums}footer{margin-top:2rem;color:#595959;font-size:13px}',
  '@media print{body{margin:0 auto}}',
].join('')

/** A moment in the park's zone, to the minute; a zone has its offset beside it, so that nobody needs to know the park. */
function momentIn(zone: string): (moment: number) => string {
  return (moment) => {
    const offset = offsetMinutes(moment, zone)
    const [date, time] = new Date(moment + offset * 60_000).toISOString().split('T') as [string, string]
    const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) => String(part).padStart(2, '0'))
    return `${date} ${time.slice(0, 5)} (UTC${offset < 0 ? '-' : '+'}${hours}:${minutes})`
  }
}

/** Records that stay without their person are not gone, and where nothing was nothing is. */
function wordOf({
  place,
  state,
  count,
}: Pick<Erasure['places'][number], 'place' | 'state' | 'count'>): 'pending' | 'done' | 'kept' | 'none' | 'pseudonymised' | 'unconfirmed' {
  if (state === 'pending') return state
  if (count === 0 && place !== 'search') return 'none'
  return state === 'done' && place === 'records' ? 'pseudonymised' : state
}

export function receiptFile(erasure: Erasure, park: Pick<Park, 'name' | 'zone'>, language: Language): FileAnswer {
  const words = fileTexts(language).erasure
  const at = momentIn(park.zone)
  const facts: [string, string][] = [
    [words.park, park.name],
    [words.kind, words.kinds[erasure.kind]],
    [words.requestedAt, at(erasure.requestedAt)],
    [words.requestedBy, erasure.origin === 'retention' ? words.byRetention : erasure.requestedBy],
    ...(erasure.reason === '' ? [] : [[words.reason, erasure.reason] as [string, string]]),
    [words.completedAt, erasure.completedAt === null ? words.notComplete : at(erasure.completedAt)],
  ]
  const rows = erasure.places.map(({ place, name, deviceId, state, count, at: when, removed }) => [
    name === '' ? words.places[place] : `${words.places[place]} ${name}`,
    deviceId !== null || place === 'search' ? '' : String(count),
    removed ? words.removed : words.states[wordOf({ place, state, count })],
    when === null ? '' : at(when),
  ])
  const head = [words.place, words.count, words.state, words.at].map((title) => `<th scope="col">${escaped(title)}</th>`)
  const body = rows.map(
    ([place, count, state, when]) =>
      `<tr><td>${escaped(place!)}</td><td class="count">${count}</td><td>${escaped(state!)}</td><td>${escaped(when!)}</td></tr>`,
  )
  const terminalNote = erasure.places.some(({ deviceId }) => deviceId !== null) ? `<p>${escaped(words.terminalNote)}</p>` : ''
  const title = `<title>${escaped(words.title)} ${escaped(erasure.number)}</title>`
  const meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
  const html = `<!doctype html>
<html lang="${language}"><head>${meta}${title}<style>${STYLE}</style></head>
<body><h1>${escaped(words.title)}</h1><p class="number">${escaped(erasure.number)}</p>
<dl>${facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
<table><thead><tr>${head.join('')}</tr></thead>
<tbody>${body.join('')}</tbody></table>
<footer><p>${escaped(words.note)}</p><p>${escaped(words.storageNote)}</p>${terminalNote}</footer></body></html>`
  return { bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8', filename: `${words.title} ${erasure.number}.html` }
}
