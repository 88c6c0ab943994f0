/**
 * /secondPhotographs: persons with one photograph and the second one that a passage offers; first those who most often need a second try.
 */
import { PictureOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { secondPhotographCalls, SECOND_PHOTOGRAPH_DAYS, type OnePhotograph } from '@gatehouse/contract/records/second-photographs'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { choicesOf, flatChoices } from '../../../kit/form/treeChoices.ts'
import { useEditor, type Editor } from '../../../kit/form/useEditor.ts'
import { useList } from '../../../kit/list/useList.ts'
import { path } from '../../../paths.ts'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { useGroupTree } from '../groups/useGroups.ts'
import { OfferedPhotograph } from '../SecondPhotograph.tsx'
import styles from '../people.module.css'

/** Pixels; rows of either density have room for it. */
const FACE = 44

export default function SecondPhotographsPage() {
  const { t } = useTranslation('people')
  const list = useList(secondPhotographCalls.list, { name: 'secondPhotographs' })
  const columns = useColumns()
  const groups = useGroupTree(personGroupType.staff)
  const editor = useEditor<OnePhotograph>()
  return (
    <Screen title={t('shell:title.secondPhotographs')} note={!list.pending && t('total', { count: list.total })}>
      <p className={styles.oneLead}>{t('second.why', { count: SECOND_PHOTOGRAPH_DAYS })}</p>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('name') },
          { field: 'groupId', label: t('group'), options: flatChoices(choicesOf(groups.data ?? [])) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('second.nobody') }}
        onOpen={editor.edit}
        actions={(person) => (
          <Button
            type="text"
            icon={<PictureOutlined />}
            aria-label={t('second.of', { name: person.personName })}
            title={t('second.title')}
            onClick={() => editor.edit(person)}
          />
        )}
      />
      {editor.target && <SecondPhotographDialog key={editor.openingCount} editor={editor} person={editor.target} />}
    </Screen>
  )
}

function useColumns() {
  const { t } = useTranslation('people')
  return columnsOf<OnePhotograph>([
    {
      field: 'personName',
      title: t('name'),
      width: 164,
      visibility: 'always',
      render: ({ id, personName, thumbnail }) => (
        <span className={styles.who}>
          <Portrait name={personName} url={thumbnail} size={FACE} />
          <Link to={path('staffDetails', { id })} title={personName} tabIndex={-1}>
            {personName}
          </Link>
        </span>
      ),
    },
    { field: 'workNumber', title: t('workNumber'), width: 108 },
    { field: 'groupName', title: t('group'), width: 112 },
    { field: 'refused', title: t('second.refused'), width: 96, visibility: 'always' },
    { field: 'passages', title: t('second.passages'), width: 96 },
    {
      field: 'lastRefusedAt',
      title: t('second.last'),
      width: 128,
      render: ({ lastRefusedAt }) => lastRefusedAt !== null && <RelativeTime at={lastRefusedAt} />,
    },
  ])
}

/** The second photograph offered to one person of the list. */
function SecondPhotographDialog({ editor, person: { id, personName } }: { editor: Editor<OnePhotograph>; person: OnePhotograph }) {
  const { t } = useTranslation('people')
  const offered = useRead(secondPhotographCalls.offer, { params: { id } }, { enabled: editor.open })
  return (
    <Modal
      open={editor.open}
      title={t('second.of', { name: personName })}
      footer={null}
      onCancel={editor.close}
      width={520}
      destroyOnHidden
    >
      <DetailPage query={offered}>
        {(found) =>
          found.offer === null ? (
            <p>
              {t('second.none')} <Link to={path('staffDetails', { id })}>{t('second.addOne')}</Link>
            </p>
          ) : (
            <OfferedPhotograph offered={found} onTaken={editor.close} />
          )
        }
      </DetailPage>
    </Modal>
  )
}
