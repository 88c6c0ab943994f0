/** A list of alarms: unhandled or handled ones as the address says, kept current by live frames. */
import { useLocation, useSearchParams } from 'react-router'
import { ALARM_TABS, type AlarmTab } from '@gatehouse/contract/alarms/handling'
import type { Topic } from '@gatehouse/contract/realtime'
import type { AnyCall } from '../../../api/http.ts'
import { useLive } from '../../../api/live.ts'
import { queriesOf } from '../../../api/query.ts'
import { writeQuery } from '../../../kit/list/address.ts'
import { querySchemaOf } from '../../../kit/list/listRequest.ts'
import { useList, type List, type ListQuery, type PageCall, type RowOf } from '../../../kit/list/useList.ts'
import { useRefresh } from '../../../kit/useRefresh.ts'

/** Milliseconds between two reads of the list, however many alarms arrive. */
const REFRESH_MS = 1_000

export interface AlarmList<Row, Query> extends List<Row, Query> {
  tab: AlarmTab
  /** Both tabs with their addresses, in which the filters are kept that both have. */
  tabs: readonly { tab: AlarmTab; address: string }[]
}

const tabOf = (search: URLSearchParams): AlarmTab => ALARM_TABS.find((tab) => tab === search.get('tab')) ?? 'unhandled'

/**
 * @param name under which its columns are stored
 * @param one reads one alarm, and is kept current as well; absent: the list itself does
 */
export function useAlarmList<C extends PageCall>(call: C, topic: Topic, name: string, one?: AnyCall): AlarmList<RowOf<C>, ListQuery<C>> {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const tab = tabOf(search)
  // Every list of alarms has this filter.
  const fixed: object = { tab }
  const list = useList(call, {
    name,
    fixed: fixed as Partial<ListQuery<C>>,
    always: ['tab'] as (keyof ListQuery<C> & string)[],
  })
  const refresh = useRefresh(REFRESH_MS)
  const queries = [call, ...(one === undefined ? [] : [one])].map(queriesOf)
  useLive(topic, () => queries.forEach(refresh), queries)
  const tabs = ALARM_TABS.map((each) => {
    const query = writeQuery(querySchemaOf(call), { ...(list.query as object), page: undefined, status: undefined, tab: each })
    return { tab: each, address: `${pathname}?${query.toString()}` }
  })
  return { ...list, tab, tabs }
}
