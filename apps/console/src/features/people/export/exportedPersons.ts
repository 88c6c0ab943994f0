import type { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import type { List, ListQuery } from '../../../kit/list/useList.ts'

/** A list of persons, as far as its export asks for it. */
export type ExportedPersons = Pick<List<Person, ListQuery<typeof peopleCalls.list>>, 'query' | 'selected' | 'total' | 'filtered'>
