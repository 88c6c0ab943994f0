/** The list of visits as the parts of its page share it. */
import type { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import type { List, ListQuery } from '../../../kit/list/useList.ts'

export type Visits = List<VisitRow, ListQuery<typeof visitorCalls.list>>
