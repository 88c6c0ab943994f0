/** Printing of a muster: everybody, by name, with a box to tick. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { PERSON_STATE, restrictionCalls, type MusterPerson } from '@gatehouse/contract/restrictions/calls'
import { request } from '../../api/request.ts'
import { useMay } from '../../api/session.ts'
import { useLanguage } from '../../i18n/index.ts'

/** Read all persons of the muster, page by page. */
async function everybody(restrictionId: string): Promise<MusterPerson[]> {
  const persons: MusterPerson[] = []
  for (let page = 1; ; page++) {
    const { content, total } = await request(
      restrictionCalls.muster,
      { query: { restrictionId, page, size: PAGE_SIZE_MAX } },
      { errors: 'toast' },
    )
    persons.push(...content)
    if (content.length === 0 || persons.length >= total) return persons
  }
}

function printTable(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): void {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;right:0;bottom:0;width:0;height:0;border:0'
  document.body.append(frame)
  const page = frame.contentDocument!
  page.title = title
  page.body.style.cssText = 'font-family:sans-serif;font-size:11pt'
  const line = (of: readonly string[], kind: 'th' | 'td'): HTMLTableRowElement => {
    const row = page.createElement('tr')
    for (const text of of) {
      const cell = page.createElement(kind)
      cell.textContent = text
      cell.style.cssText = 'border:1px solid #999;padding:1.5mm 2mm;text-align:left'
      row.append(cell)
    }
    return row
  }
  const heading = page.createElement('h1')
  heading.textContent = title
  heading.style.fontSize = '15pt'
  const table = page.createElement('table')
  table.style.cssText = 'border-collapse:collapse;width:100%'
  const head = page.createElement('thead')
  head.append(line(heads, 'th'))
  const body = page.createElement('tbody')
  body.append(...rows.map((row) => line(row, 'td')))
  table.append(head, body)
  page.body.append(heading, table)
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow!.print()
}

export function usePrintMuster(restrictionId: string, area: string): { run: () => void; pending: boolean } {
  const { t } = useTranslation('restrictions')
  const seesVisits = useMay('visitor.report')
  const language = useLanguage((state) => state.language)
  const [pending, setPending] = useState(false)
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' })

  async function print(): Promise<void> {
    const persons = (await everybody(restrictionId)).toSorted((one, other) => one.personName.localeCompare(other.personName, language))
    const rows = persons.map(({ personName, workNumber, status, since, deviceName, met, visit }) => [
      met ? '☑' : '☐',
      personName,
      workNumber,
      ...(seesVisits
        ? [visit === null ? '' : [t('muster.visitor'), visit.hostName, visit.groupName].filter((text) => text !== '').join(' · ')]
        : []),
      t(status === PERSON_STATE.inside ? 'muster.inArea' : 'muster.part.left'),
      time.format(since),
      deviceName,
    ])
    const title = t('muster.printTitle', {
      name: area,
      time: time.format(Date.now()),
      count: persons.filter(({ status }) => status === PERSON_STATE.inside).length,
    })
    const host = seesVisits ? [t('muster.host')] : []
    printTable(title, ['', t('person'), t('workNumber'), ...host, t('muster.state'), t('since'), t('door')], rows)
  }

  return {
    pending,
    run: () => {
      setPending(true)
      // A refusal has been shown already.
      print()
        .catch(() => {})
        .finally(() => setPending(false))
    },
  }
}
