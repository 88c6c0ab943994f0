/** One entry of the operation log: who, when, from where, and each field before and after. */
import { Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { auditCalls, type OperationDetail, type OperationEntry } from '@gatehouse/contract/audit/calls'
import { DetailPage, Facts, Section } from '../../kit/detail/DetailPage.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { shownName } from '../../kit/shownName.ts'
import { path } from '../../paths.ts'
import { useLogWords } from './logWords.ts'
import styles from './audit.module.css'

const WIDTH = 640
const STATUS = { created: 'ok', changed: 'info', deleted: 'bad', touched: 'off' } as const
type Change = OperationDetail['changes'][number]

export default function EntryDrawer({ entry, close }: { entry: OperationEntry | undefined; close: () => void }) {
  const words = useLogWords()
  return (
    <Drawer open={entry !== undefined} onClose={close} size={WIDTH} title={entry && words.operation('write', entry)} destroyOnHidden>
      {entry && <Entry entry={entry} />}
    </Drawer>
  )
}

function Entry({ entry }: { entry: OperationEntry }) {
  const { t } = useTranslation('audit')
  const { offset } = useZoneOffset()
  const detail = useRead(auditCalls.operation, { params: { id: entry.id } })
  return (
    <>
      <Facts
        facts={[
          [t('time'), formatInstant(entry.time, offset)],
          [t('operator'), `${shownName(entry.operator)} (${entry.account})`],
          [t('source'), t(`sourceOf.${entry.source}`)],
          [t('ip'), entry.ip],
          [t('park'), entry.areaName],
          [t('moduleTitle'), t(`module.${entry.module}`)],
        ]}
      />
      <div className={styles.details}>
        <DetailPage query={detail}>
          {({ changes }) =>
            changes.length === 0 ? (
              <p className={styles.nothing}>{t('noDetails')}</p>
            ) : (
              <>
                {changes.map((change, at) => (
                  <ChangeTable key={`${change.id}.${at}`} change={change} />
                ))}
              </>
            )
          }
        </DetailPage>
      </div>
    </>
  )
}

function ChangeTable({ change }: { change: Change }) {
  const { t } = useTranslation('audit')
  const words = useLogWords()
  const name = words.subject(change)
  const seen = change.entity === 'person' || change.entity === 'user'
  return (
    <Section
      title={`${words.entity(change.entity)} · ${name}`}
      extra={
        <span className={styles.marks}>
          <StatusTag status={STATUS[change.kind]}>{t(`kind.${change.kind}`)}</StatusTag>
          {seen && <Link to={`${path('readLog')}?subject=${change.id}`}>{t('whoSaw')}</Link>}
        </span>
      }
    >
      {change.unreadable === true && <p className={styles.unreadable}>{t('unreadable')}</p>}
      {change.fields.length > 0 && (
        <table className={styles.changes}>
          <thead>
            <tr>
              <th scope="col">{t('fieldTitle')}</th>
              <th scope="col">{t('before')}</th>
              <th scope="col">{t('after')}</th>
            </tr>
          </thead>
          <tbody>
            {change.fields.map(({ field, before, after }) => (
              <tr key={field}>
                <th scope="row">{words.field(field)}</th>
                <td data-side="before">{words.value(field, before)}</td>
                <td data-side="after">{words.value(field, after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
