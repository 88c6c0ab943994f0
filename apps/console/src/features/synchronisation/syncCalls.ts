/** The calls of the page: those about strategies, unless somebody further up says that they are about associated rules. */
import { createContext } from 'react'
import type { DataOf, InputOf, Schema } from '@gatehouse/contract'
import { associatedSyncCalls } from '@gatehouse/contract/strategies/associated-rules'
import { synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import type { AnyCall } from '../../api/http.ts'
import { heldOf, type Held } from '../../api/query.ts'

type Calls = typeof synchronisationCalls
type Reads<Query, C extends AnyCall> = AnyCall & { query: Schema<unknown, Query>; data: Schema<DataOf<C>> }
type Lists<C extends AnyCall> = AnyCall & Pick<C, 'data'>
type OfOneStrategy = { strategyId?: string | undefined }

/** Both kinds ask and answer alike. */
export interface SyncCalls {
  persons: Lists<Calls['persons']>
  devices: Lists<Calls['devices']>
  counts: Reads<OfOneStrategy, Calls['counts']>
  personsOfDevice: Reads<InputOf<Calls['personsOfDevice']['query']> & OfOneStrategy, Calls['personsOfDevice']>
  devicesOfPerson: Reads<InputOf<Calls['devicesOfPerson']['query']>, Calls['devicesOfPerson']>
  retry: AnyCall & { body: Schema<unknown, InputOf<Calls['retry']['body']>>; data: Schema<DataOf<Calls['retry']>> }
}

export const SyncContext = createContext<SyncCalls>(synchronisationCalls)

/** A list as the page's address keeps it: the strategy stands in the path, not among the filters. */
export const deviceList = ({ devices }: SyncCalls) => ({ ...devices, query: synchronisationCalls.devices.query })
export const personList = ({ persons }: SyncCalls) => ({ ...persons, query: synchronisationCalls.persons.query.omit({ deviceId: true }) })

/** Everything held that shows how far persons are. */
export const SYNC_READS: readonly Held[] = [...Object.values(synchronisationCalls), ...Object.values(associatedSyncCalls)].map(heldOf)
