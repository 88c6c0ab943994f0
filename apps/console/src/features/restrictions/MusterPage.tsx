/** /accessRestrictionMuster/{id}: everybody inside an area, to be checked off at the assembly point, and to be printed. */
import { CheckOutlined, PrinterOutlined } from '@ant-design/icons'
import { Button, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { PERSON_STATE, restrictionCalls, type MusterPerson } from '@gatehouse/contract/restrictions/calls'
import { columnsOf, type ListColumn } from '../../kit/list/columns.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { modal } from '../../kit/feedback.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useRead } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { usePolling } from './usePolling.ts'
import { usePrintMuster } from './usePrintMuster.ts'
import styles from './restrictions.module.css'

const PARTS = ['missing', 'left', 'met'] as const
const partOf = ({ met, status }: MusterPerson): (typeof PARTS)[number] =>
  met ? 'met' : status === PERSON_STATE.inside ? 'missing' : 'left'
const STATUS = { missing: 'bad', left: 'off', met: 'ok' } as const

function Visiting({ visit }: { visit: NonNullable<MusterPerson['visit']> }) {
  const { t } = useTranslation('restrictions')
  return (
    <>
      <Tag>{t('muster.visitor')}</Tag>
      {visit.hostName} <small>{visit.groupName}</small>
    </>
  )
}

/** Return the columns. @param seesVisits whether visitors have their host */
function useMusterColumns(seesVisits: boolean) {
  const { t } = useTranslation('restrictions')
  const hostColumn: ListColumn<MusterPerson> = {
    field: 'visit',
    title: t('muster.host'),
    width: 180,
    render: ({ visit }) => visit && <Visiting visit={visit} />,
  }
  return columnsOf<MusterPerson>([
    { field: 'personName', title: t('person'), width: 160, visibility: 'always' },
    { field: 'workNumber', title: t('workNumber'), width: 120 },
    ...(seesVisits ? [hostColumn] : []),
    {
      field: 'met',
      title: t('muster.state'),
      width: 120,
      render: (person) => <StatusTag status={STATUS[partOf(person)]}>{t(`muster.part.${partOf(person)}`)}</StatusTag>,
    },
    { field: 'since', title: t('since'), width: 140, render: ({ since }) => <RelativeTime at={since} /> },
    { field: 'deviceName', title: t('door'), width: 150 },
    {
      field: 'metBy',
      title: t('muster.metBy'),
      width: 160,
      render: ({ metAt, metBy }) =>
        metAt === null ? null : (
          <>
            {metBy} <RelativeTime at={metAt} />
          </>
        ),
    },
  ])
}

export default function MusterPage() {
  const { t } = useTranslation('restrictions')
  const { id = '' } = useParams()
  const area = useRead(restrictionCalls.read, { params: { id } })
  const list = useList(restrictionCalls.muster, { name: 'muster', fixed: { restrictionId: id } })
  // The counts of the whole muster, whatever the filter shows.
  const counts = useRead(restrictionCalls.muster, { query: { restrictionId: id, size: 1 } })
  usePolling([restrictionCalls.muster])
  const begin = useWrite(restrictionCalls.beginMuster, { done: t('muster.begun') })
  const end = useWrite(restrictionCalls.endMuster, { done: t('muster.ended') })
  const meet = useWrite(restrictionCalls.meet, { onDone: () => list.setSelected([]) })
  const name = area.data?.name ?? ''
  const print = usePrintMuster(id, name)
  const { muster = null, missing = 0, met = 0, left = 0 } = counts.data ?? {}

  const columns = useMusterColumns(useMay('visitor.report'))
  const check = (personIds: string[], isMet: boolean): void => meet.run({ body: { restrictionId: id, personIds, met: isMet } })
  const finish = (): void =>
    void modal.confirm({
      title: t('muster.endTitle'),
      content: missing > 0 ? t('muster.endMissing', { count: missing }) : t('muster.endWords'),
      okText: t('muster.end'),
      okButtonProps: { danger: missing > 0 },
      cancelText: t('common:cancel'),
      onOk: () => end.send({ body: { restrictionId: id } }).catch(() => {}),
    })
  return (
    <Screen
      title={name === '' ? t('muster.title') : t('muster.of', { name })}
      note={muster && t('muster.since', { who: muster.beganBy })}
      actions={
        <>
          <Button icon={<PrinterOutlined />} onClick={print.run} loading={print.pending}>
            {t('muster.print')}
          </Button>
          {muster === null ? (
            <Button type="primary" onClick={() => begin.run({ body: { restrictionId: id } })} loading={begin.pending}>
              {t('muster.begin')}
            </Button>
          ) : (
            <Button onClick={finish} loading={end.pending}>
              {t('muster.end')}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.sum} role="status" data-missing={(muster !== null && missing > 0) || undefined}>
        {muster === null ? t('muster.inside', { count: missing }) : t('muster.counts', { missing, met, left })}
      </p>
      <FilterBar
        list={list}
        filters={
          muster === null
            ? []
            : [
                {
                  field: 'filter',
                  label: t('muster.state'),
                  options: PARTS.map((part) => ({ value: part, label: t(`muster.part.${part}`) })),
                },
              ]
        }
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('muster.nobody') }}
        {...(muster && {
          bulk: (ids: string[]) => (
            <Button icon={<CheckOutlined />} onClick={() => check(ids, true)}>
              {t('muster.meet')}
            </Button>
          ),
        })}
        {...(muster && {
          actions: ({ personId, personName, met: isMet }: MusterPerson) => (
            <Button
              type={isMet ? 'primary' : 'default'}
              size="small"
              icon={<CheckOutlined />}
              aria-pressed={isMet}
              aria-label={t('muster.meetOf', { name: personName })}
              onClick={() => check([personId], !isMet)}
            />
          ),
        })}
      />
    </Screen>
  )
}
