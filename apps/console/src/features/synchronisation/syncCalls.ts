/** The calls of the page: those of strategies, unless a provider above sets those of associated rules. */
import { createContext } from 'react'
import type { DataOf, InputOf, Schema } from '@gatehouse/contract'
import { associatedSyncCalls } from '@gatehouse/contract/strategies/associated-rules'
import { synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import type { AnyCall } from '../../api/http.ts'
import { queriesOf, type CachedQueries } from '../../api/query.ts'

type Calls = typeof synchronisationCalls
type Reads<Query, C extends AnyCall> = AnyCall & { query: Schema<unknown, Query>; data: Schema<DataOf<C>> }
type Lists<C extends AnyCall> = AnyCall & Pick<C, 'data'>
type OfOneStrategy = { strategyId?: string | undefined }

/** Calls with the same bodies and answers for both kinds. */
export interface SyncCalls {
  persons: Lists<Calls['persons']>
  devices: Lists<Calls['devices']>
  counts: Reads<OfOneStrategy, Calls['counts']>
  personsOfDevice: Reads<InputOf<Calls['personsOfDevice']['query']> & OfOneStrategy, Calls['personsOfDevice']>
  devicesOfPerson: Reads<InputOf<Calls['devicesOfPerson']['query']>, Calls['devicesOfPerson']>
  retry: AnyCall & { body: Schema<unknown, InputOf<Calls['retry']['body']>>; data: Schema<DataOf<Calls['retry']>> }
}

export const SyncContext = createContext<SyncCalls>(synchronisationCalls)

/** Return the call with the query that the page's address keeps: the strategy is in the path, not among the filters. */
export const deviceList = ({ devices }: SyncCalls) => ({ ...devices, query: synchronisationCalls.devices.query })
export const personList = ({ persons }: SyncCalls) => ({ ...persons, query: synchronisationCalls.persons.query.omit({ deviceId: true }) })

/** All cached reads that show the progress of persons. */
export const SYNC_READS: readonly CachedQueries[] = [...Object.values(synchronisationCalls), ...Object.values(associatedSyncCalls)].map(
  queriesOf,
)
