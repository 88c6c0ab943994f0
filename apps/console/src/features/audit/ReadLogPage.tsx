/** /readLog: users who were shown personal data, and the persons concerned. `?subject=` narrows it to one person. */
import { Alert, Button, Checkbox } from 'antd'
import { useTranslation } from 'react-i18next'
import { auditCalls, type ReadEntry } from '@gatehouse/contract/audit/calls'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useMayOpen } from '../../api/session.ts'
import { RangeField } from '../../kit/list/RangeField.tsx'
import { useList } from '../../kit/list/useList.ts'
import { LogScreen, useLogColumns } from './LogScreen.tsx'
import { useLogWords } from './logWords.ts'
import styles from './audit.module.css'

/** Names shown in a row, before the number of the others. */
const SHOWN = 3

export default function ReadLogPage() {
  const { t, i18n } = useTranslation('audit')
  const list = useList(auditCalls.reads, { name: 'readLog' })
  const words = useLogWords()
  const mayAll = useMayOpen({ permission: null, condition: 'installation' })
  const { subject, all } = list.query
  const nameOf = ({ id, name }: ReadEntry['subjects'][number]): string => name ?? `#${id.slice(-6)}`
  const subjectsOf = ({ subjects, subjectCount, persons }: ReadEntry): string => {
    if (subjectCount === 0) return ''
    if (persons !== null) return t('toDevice', { name: nameOf(subjects[0]!), count: persons, n: persons.toLocaleString(i18n.language) })
    const named = subjects.filter(({ name }) => name !== null)
    const first = (named.length > 0 ? named : subjects).slice(0, SHOWN)
    const names = first.map(nameOf).join(t('common:listSeparator'))
    return subjectCount > first.length ? t('andMore', { names, count: subjectCount - first.length }) : names
  }
  const columns = useLogColumns<ReadEntry>(
    [
      { field: 'url', title: t('seenAs'), width: 210, visibility: 'always', render: (entry) => words.operation('read', entry) },
      { field: 'subjects', title: t('whom'), width: 240, render: subjectsOf },
      { field: 'reason', title: t('reason'), width: 200 },
    ],
    all === true,
  )
  const person = subject === undefined ? undefined : list.rows[0]?.subjects.find(({ id }) => id === subject)
  return (
    <LogScreen
      tab="readLog"
      note={!list.pending && t(list.totalExact ? 'total' : 'totalAtLeast', { count: list.totalExact ? list.total : list.total - 1 })}
      actions={
        mayAll && (
          <Checkbox
            className={styles.all ?? ''}
            checked={all === true}
            onChange={({ target }) => list.setQuery({ all: target.checked || undefined })}
          >
            {t('allParks')}
          </Checkbox>
        )
      }
    >
      {subject !== undefined && (
        <Alert
          className={styles.about ?? ''}
          type="info"
          title={t('whoSawOf', { name: person ? nameOf(person) : `#${subject.slice(-6)}` })}
          action={
            <Button size="small" onClick={() => list.setQuery({ subject: undefined })}>
              {t('everybody')}
            </Button>
          }
        />
      )}
      <FilterBar
        list={list}
        filters={[
          { field: 'account', label: t('account') },
          {
            field: 'source',
            label: t('source'),
            options: (['local', 'thirdParty'] as const).map((source) => ({ value: source, label: t(`sourceOf.${source}`) })),
          },
        ]}
      >
        <RangeField unset={7} back={[90, 365]} value={list.query} onChange={list.setQuery} />
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable list={list} columns={columns} empty={{ title: t('nobodyLooked') }} />
    </LogScreen>
  )
}
