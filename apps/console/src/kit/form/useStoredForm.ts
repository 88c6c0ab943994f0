/** A form that shows what one call reads and replaces it by another, which answers with the same: a list that is edited in its place. */
import { useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { readOptions, useRead } from '../../api/query.ts'
import type { AnswerOf, AnyCall, PartsOf } from '../../api/http.ts'
import type { Refusal } from '../../api/refusal.ts'
import { useSession } from '../../api/session.ts'
import { useContractForm, type ContractForm } from './useContractForm.ts'

interface StoredFormOptions<Read extends AnyCall, Values extends object> {
  read: Read
  save: AnyCall
  /** Name under which unsaved input is stored, in each park by itself. */
  draft: string
  /** Message shown once it is saved. */
  done: string
  valuesOf: (stored: AnswerOf<Read>) => Values
}

export interface StoredForm<Read extends AnyCall, Values extends object> {
  found: UseQueryResult<AnswerOf<Read>, Refusal>
  contract: ContractForm<Values>
  unsaved: boolean
  /** Read what is stored once more, and show that. */
  startOver: () => Promise<void>
}

export function useStoredForm<Read extends AnyCall, Values extends object>({
  read,
  save,
  draft,
  done,
  valuesOf,
}: StoredFormOptions<Read, Values>): StoredForm<Read, Values> {
  const cache = useQueryClient()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const parts = {} as PartsOf<Read>
  const found = useRead(read, parts)
  const show = (stored: AnswerOf<Read>): void => contract.form.setFieldsValue(valuesOf(stored) as never)
  const contract = useContractForm<AnyCall, Values>({
    call: save,
    draft: `${draft}.${park}`,
    done,
    onDone: (saved) => {
      const stored = saved as AnswerOf<Read>
      cache.setQueryData(readOptions(read, parts).queryKey, stored as never)
      // What was new has an id now, and the next change is based on this version.
      show(stored)
    },
  })
  const { dirty, restored, discard } = contract
  return {
    found,
    contract,
    unsaved: dirty || restored,
    async startOver() {
      const { data } = await found.refetch()
      discard()
      if (data !== undefined) show(data)
    },
  }
}
