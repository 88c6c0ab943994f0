/** One row under correction: the row in the server's last answer, the fields that are shown, and why it was not saved. */
import { useState } from 'react'
import { importCalls, type ImportRow } from '@gatehouse/contract/imports/calls'
import { Refusal } from '../../api/refusal.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useFieldWords } from './importWords.ts'
import { reasonOf } from './useUploads.ts'

/** Fields that are always shown. Of the others, those that were refused or that the user added are shown. */
const ALWAYS = ['name', 'workNumber', 'groupName', 'phone'] as const
export const PHOTO = 'photo'

/** What was typed, by the names of `inputName`. */
export type TypedValues = Record<string, string | undefined>

export interface RowCorrection {
  /** The row in the server's last answer. */
  row: ImportRow
  /** Whether no field can be changed: a finished row is changed with its person, and a photograph without a row has no fields. */
  isFixed: boolean
  /** Fields of the form, in their order. */
  shown: string[]
  /** Fields that can still be added. */
  addable: string[]
  addField: (field: string) => void
  /** Values of the row before the correction, by field. */
  initial: Record<string, string>
  /** Why it was not saved, in words. */
  failure: string | undefined
  isSaving: boolean
  isAddingGroup: boolean
  issueOf: (field: string) => ImportRow['issues'][number] | undefined
  /** Send what was changed. Return the row as it is then; undefined where the call was refused: see `failure`. */
  save: (typed: TypedValues) => Promise<ImportRow | undefined>
  /** Add the group that the row names, which corrects all rows that name it. Return the same as `save`. */
  addGroup: () => Promise<ImportRow | undefined>
}

/** Return the name of a field's input: a form would read the dot of `custom.<id>` as a path to a nested value. */
export const inputName = (field: string): string => field.replaceAll('.', ':')

const typedIn = (typed: TypedValues, field: string): string => (typed[inputName(field)] ?? '').trim()

const valuesOf = ({ groupName, values, name, workNumber, phone }: ImportRow): Record<string, string> => ({
  groupName,
  ...values,
  name,
  workNumber,
  phone,
})

export function useRowCorrection(original: ImportRow, importId: string): RowCorrection {
  const { fields } = useFieldWords()
  const [row, setRow] = useState(original)
  const [added, setAdded] = useState<string[]>([])
  const [failure, setFailure] = useState<string>()
  const change = useWrite(importCalls.changeRow, { errors: 'inline' })
  const group = useWrite(importCalls.addGroup, { errors: 'inline' })
  const initial = valuesOf(original)
  const refused = row.issues.map(({ field }) => field).filter((field) => field !== PHOTO && fields.includes(field))
  const shown = [...new Set([...ALWAYS, ...refused, ...added])]

  async function answerOf(call: () => Promise<ImportRow>): Promise<ImportRow | undefined> {
    setFailure(undefined)
    try {
      const answer = await call()
      setRow(answer)
      return answer
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setFailure(reasonOf(error))
      return undefined
    }
  }

  return {
    row,
    isFixed: row.finished || row.line === null,
    shown,
    addable: fields.filter((field) => !shown.includes(field)),
    addField: (field) => setAdded((before) => [...before, field]),
    initial,
    failure,
    isSaving: change.pending,
    isAddingGroup: group.pending,
    issueOf: (field) => row.issues.find((issue) => issue.field === field),
    save(typed) {
      const changed = shown.filter((field) => typedIn(typed, field) !== (initial[field] ?? ''))
      const values = Object.fromEntries(changed.map((field) => [field, typedIn(typed, field)]))
      return answerOf(() => change.send({ params: { id: importId }, body: { rowId: row.id, values } }))
    },
    addGroup: () => answerOf(() => group.send({ params: { id: importId }, body: { rowId: row.id } })),
  }
}
