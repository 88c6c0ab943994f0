/** The alarm of a list that a link names by its time, as bubbles and e-mails do. */
import { useTranslation } from 'react-i18next'
import type { AnyCall, PartsOf } from '../../../api/http.ts'
import { useRead } from '../../../api/query.ts'
import { listPartsOf } from '../../../kit/list/listRequest.ts'
import type { PageCall, RowOf } from '../../../kit/list/useList.ts'
import type { LedAlarm } from './AlarmScreen.tsx'
import { useLedTime } from './useLedTime.ts'

/** @param call a list that takes a period and is read for that moment, whatever tab is open */
export function useLedAlarm<C extends PageCall>(call: C): LedAlarm<RowOf<C>> {
  const { t } = useTranslation('alarms')
  const { time = 0, forget } = useLedTime()
  const isLed = time !== 0
  // A call of a list answers with a page of its rows.
  const read = useRead<AnyCall>(call, listPartsOf(call, { startTime: time, endTime: time + 1, size: 1 }) as PartsOf<AnyCall>, {
    enabled: isLed,
  })
  const { content } = (read.data ?? {}) as { content?: RowOf<C>[] }
  if (!isLed) return { row: undefined, error: undefined, forget }
  return { row: content?.[0], error: read.isError ? read.error : content?.length === 0 ? t('notThere') : undefined, forget }
}
