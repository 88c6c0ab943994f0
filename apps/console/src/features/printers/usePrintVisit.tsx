/** Printing the badge or slip of a visit on the printer of this browser, which the user chooses once. */
import { Modal, Radio, Space } from 'antd'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useQueryClient } from '@tanstack/react-query'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { printerCalls, type PrinterChoice } from '@gatehouse/contract/printers/calls'
import { readAfter } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import { useMayCall } from '../../api/session.ts'
import { toast } from '../../kit/feedback.tsx'
import { chooseDeviceHere, deviceHere } from '../../shared/deviceHere.ts'
import { printDocument } from './printDocument.ts'

interface PrintedVisit {
  id: string
  /** Name of the visitor, for the title of the choice. */
  name: string
}

export interface PrintVisit {
  /** Whether the user may print; if not, the action is left out. */
  offered: boolean
  /** Print on the default printer of this user, park and browser, or let the user choose one. */
  print: (visit: PrintedVisit) => void
  /** Let the user choose another printer, which becomes the default. */
  choose: (visit: PrintedVisit) => void
  pending: boolean
  /** The dialog with the choice; to be rendered by the caller. */
  chooser: ReactNode
}

interface Choice {
  visit: PrintedVisit
  printers: PrinterChoice[]
  printerId: string
}

/** Return a text that no other press of the button has. */
const newKey = (): string => `${Date.now()}-${Math.random().toString(36).slice(2)}`

export function usePrintVisit(): PrintVisit {
  const { t } = useTranslation('printers')
  const cache = useQueryClient()
  const offered = useMayCall(printerCalls.print)
  const [pending, setPending] = useState(false)
  const [choice, setChoice] = useState<Choice>()

  async function send(visitId: string, printer: PrinterChoice): Promise<void> {
    const body = { visitId, printerId: printer.id, key: newKey() }
    const job = await request(printerCalls.print, { body }, { errors: 'toast' })
    void readAfter(cache, printerCalls.print)
    if (job.kind === 'browser') printDocument((await request(printerCalls.file, { query: { id: job.id } }, { errors: 'toast' })).blob)
    else toast('success', t('print.sent', { printer: printer.name }))
  }

  async function begin(visit: PrintedVisit, mayUseDefault: boolean): Promise<void> {
    const { content: printers } = await request(printerCalls.list, { query: { size: PAGE_SIZE_MAX } }, { errors: 'toast' })
    const [first] = printers
    if (first === undefined) return toast('error', t('print.noPrinter'))
    const here = printers.find(({ id }) => id === deviceHere('defaultPrinter'))
    if (mayUseDefault && here !== undefined) return send(visit.id, here)
    setChoice({ visit, printers, printerId: (here ?? first).id })
  }

  function run(work: () => Promise<void>): void {
    setPending(true)
    // A refusal has been shown already.
    work()
      .catch(() => {})
      .finally(() => setPending(false))
  }

  function agree({ visit, printers, printerId }: Choice): void {
    chooseDeviceHere('defaultPrinter', printerId)
    setChoice(undefined)
    run(() =>
      send(
        visit.id,
        printers.find(({ id }) => id === printerId)!,
      ),
    )
  }

  const chooser = (
    <Modal
      open={choice !== undefined}
      title={t('print.chooseFor', { name: choice?.visit.name ?? '' })}
      okText={t('print.do')}
      cancelText={t('common:cancel')}
      onCancel={() => setChoice(undefined)}
      onOk={() => choice && agree(choice)}
      destroyOnHidden
    >
      <p>{t('print.chooseHint')}</p>
      <Radio.Group
        aria-label={t('printer')}
        value={choice?.printerId}
        onChange={({ target }) => setChoice((before) => before && { ...before, printerId: String(target.value) })}
      >
        <Space direction="vertical">
          {choice?.printers.map(({ id, name, media }) => (
            <Radio key={id} value={id}>
              {t('print.option', { name, media: t(`media.${media}`) })}
            </Radio>
          ))}
        </Space>
      </Radio.Group>
    </Modal>
  )

  return {
    offered,
    print: (visit) => run(() => begin(visit, true)),
    choose: (visit) => run(() => begin(visit, false)),
    pending,
    chooser,
  }
}
