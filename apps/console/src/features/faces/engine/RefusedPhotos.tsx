/** Photographs the engine that runs could not take, each with the reason and the person to ask for another. */
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Section } from '../../../kit/detail/DetailPage.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { useMay } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import { useKeyedList } from '../useKeyedList.ts'
import styles from '../faces.module.css'

export function RefusedPhotos() {
  const { t } = useTranslation('faces')
  const navigate = useNavigate()
  const mayOpen = useMay('person.list')
  const list = useKeyedList(faceCalls.refusedPhotos, 'faceId', { name: 'refusedPhotos' })
  type Row = (typeof list.rows)[number]
  const open = ({ personId }: Row): void => void navigate(path('staffDetails', { id: personId }))
  const columns = columnsOf<Row>([
    {
      field: 'thumbnail',
      title: t('refused.photo'),
      width: 72,
      visibility: 'always',
      render: ({ thumbnail, personName, contactName }) => (
        <span className={styles.face}>
          <Portrait name={contactName ?? personName} url={thumbnail} size={40} />
        </span>
      ),
    },
    {
      field: 'personName',
      title: t('person'),
      width: 180,
      visibility: 'always',
      render: ({ personId, personName, contactName }) => (
        <>
          {mayOpen && personName ? (
            <Link to={path('staffDetails', { id: personId })} tabIndex={-1}>
              {personName}
            </Link>
          ) : (
            personName
          )}
          {contactName && <small> · {t('refused.contact', { name: contactName })}</small>}
        </>
      ),
    },
    {
      field: 'code',
      title: t('refused.reason'),
      width: 420,
      visibility: 'always',
      render: ({ code }) => <span className={styles.wrapped}>{t(`errors:business.${code}`, { defaultValue: String(code) })}</span>,
    },
  ])
  return (
    <Section title={t('refused.title')} extra={<ListTools list={list} columns={columns} />}>
      <p className={styles.words}>{t('refused.words')}</p>
      <ListTable list={list} columns={columns} empty={{ title: t('refused.none') }} {...(mayOpen && { onOpen: open })} />
    </Section>
  )
}
