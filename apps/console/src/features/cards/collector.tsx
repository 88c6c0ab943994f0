/** The card machine or collector beside this browser: the field to choose it, and waiting for its reading. */
import { Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { chooseDeviceHere, deviceHere } from '../../shared/deviceHere.ts'
import { useRead } from '../../api/query.ts'
import { Refusal, sentenceOf } from '../../api/refusal.ts'

interface CollectorFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (id: string) => void
}

/** Return the collector that a form offers first. */
export const collectorHere = (): string | undefined => deviceHere('defaultCollector')

/** The field for the card machine or collector. The choice is offered first to the same user in the same park from then on. */
export function CollectorField({ id, value, onChange }: CollectorFieldProps) {
  const { t } = useTranslation('cards')
  const devices = useRead(cardCalls.devices, {})
  const options = (devices.data ?? []).map((device) => ({
    value: device.id,
    label: device.onlineStatus === deviceOnlineStatus.offline ? t('collector.offline', { name: device.name }) : device.name,
  }))
  // A collector that has been removed cannot be chosen any more.
  const chosen = options.some((option) => option.value === value) ? value : undefined
  return (
    <Select<string>
      {...(id && { id })}
      value={chosen ?? null}
      options={options}
      loading={devices.isPending}
      placeholder={t('collector.choose')}
      notFoundContent={devices.isPending ? null : t('collector.none')}
      onChange={(next) => {
        chooseDeviceHere('defaultCollector', next)
        onChange?.(next)
      }}
    />
  )
}

export interface Waiting {
  waiting: boolean
  /** Why the last wait failed, in words; empty where it did not. */
  failure: string
  /** Start to wait. @param work gets a signal that is aborted when the wait is to end */
  begin: (work: (signal: AbortSignal) => Promise<void>) => void
  end: () => void
}

/** Keep the state of a wait for a reader. It starts with a click, and ends with another click or when the page is left. */
export function useWaiting(): Waiting {
  const [waiting, setWaiting] = useState(false)
  const [failure, setFailure] = useState('')
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function run(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setFailure('')
    setWaiting(true)
    try {
      await work(controller.signal)
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error instanceof Refusal ? sentenceOf(error) : String(error))
    } finally {
      if (running.current === controller) setWaiting(false)
    }
  }

  return {
    waiting,
    failure,
    begin: (work) => void run(work),
    end: () => {
      running.current?.abort()
      setWaiting(false)
    },
  }
}
