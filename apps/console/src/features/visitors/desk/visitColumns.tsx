/** Columns of the list of visits: the face first, large enough to recognise a visitor, and the custom fields that the list shows. */
import { useTranslation } from 'react-i18next'
import { visitorSource, visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorConfigurationCalls, type VisitorField } from '@gatehouse/contract/visitors/configuration'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { useRead } from '../../../api/query.ts'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { Cell, columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { shownName } from '../../../kit/shownName.ts'
import { OwnValue } from '../form/OwnValue.tsx'
import { DeskCheckMarks, useVisitSpan, VisitStatus, WatchListMark } from './visitMarks.tsx'
import styles from './desk.module.css'

/** Pixels; rows of either density have room for it. */
const FACE = 44

export function useVisitColumns(): TableColumn<VisitRow>[] {
  const { t } = useTranslation('visitors')
  const spanOf = useVisitSpan()
  const form = useRead(visitorConfigurationCalls.readForm, {})
  const columns = columnsOf<VisitRow>([
    {
      field: 'name',
      title: t('visitor'),
      width: 172,
      visibility: 'always',
      render: (visit) => (
        <span className={styles.who} data-hit={visit.watchList?.length ? true : undefined}>
          <Portrait name={visit.name} url={visit.faceThumbnail} size={FACE} />
          <span>
            <b title={visit.name}>{visit.name}</b>
            {visit.peerCount > 0 && <small>{t('companionCount', { count: visit.peerCount })}</small>}
            <WatchListMark visit={visit} />
            <DeskCheckMarks visit={visit} />
          </span>
        </span>
      ),
    },
    { field: 'status', title: t('status'), width: 108, render: (visit) => <VisitStatus visit={visit} /> },
    {
      field: 'visiteeName',
      title: t('hostAndReason'),
      width: 116,
      render: ({ visiteeName, reason }) => (
        <span className={styles.two}>
          <span title={visiteeName}>{visiteeName || '—'}</span>
          <small>
            <EnumTag of={visitReason} value={reason} />
          </small>
        </span>
      ),
    },
    {
      field: 'visitTime',
      title: t('visitTimeAndSource'),
      width: 152,
      render: (visit) => (
        <span className={styles.two}>
          <span title={spanOf(visit)}>{spanOf(visit)}</span>
          <small>
            <EnumTag of={visitorSource} value={visit.source} />
          </small>
        </span>
      ),
    },
    { field: 'phone', title: t('phone'), width: 118 },
    { field: 'entryTime', title: t('entryTime'), width: 92, render: ({ entryTime }) => <RelativeTime at={entryTime} /> },
    { field: 'signOffTime', title: t('signOffTime'), width: 92, render: ({ signOffTime }) => <RelativeTime at={signOffTime} /> },
    { field: 'visitorNumber', title: t('visitorNumber'), width: 88, visibility: 'hidden' },
    {
      field: 'visitorGroupName',
      title: t('group'),
      width: 110,
      visibility: 'hidden',
      render: ({ visitorGroupName }) => shownName(visitorGroupName),
    },
    {
      field: 'validDays',
      title: t('validDays'),
      width: 92,
      visibility: 'hidden',
      render: ({ validDays }) => validDays !== null && t('days', { count: validDays }),
    },
    { field: 'cardNumber', title: t('cardNumber'), width: 120, visibility: 'hidden' },
    { field: 'rejectReason', title: t('rejectReason'), width: 140, visibility: 'hidden' },
    {
      field: 'appointmentTime',
      title: t('appointmentTime'),
      width: 110,
      visibility: 'hidden',
      render: ({ appointmentTime }) => <RelativeTime at={appointmentTime} />,
    },
    { field: 'remark', title: t('remark'), width: 140, visibility: 'hidden' },
  ])
  return [...columns, ...(form.data?.fields ?? []).filter(({ showInVisitorList }) => showInVisitorList).map(ownColumnOf)]
}

/** Pixels. */
const OWN_WIDTH = 100

/** Return the column of a custom field. */
const ownColumnOf = (field: VisitorField): TableColumn<VisitRow> => ({
  key: field.id,
  title: field.displayName,
  width: OWN_WIDTH,
  visibility: 'shown',
  render: (_, { customFields }) => (
    <Cell>
      <OwnValue field={field} value={customFields.find(({ id }) => id === field.id)?.value} />
    </Cell>
  ),
})
