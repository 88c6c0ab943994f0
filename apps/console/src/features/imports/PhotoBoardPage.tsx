/** /photoBoard: persons without a photograph, by group, and the ways to get one. */
import { LinkOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { OutputOf } from '@gatehouse/contract'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { importCalls, type photoBoardGroup } from '@gatehouse/contract/imports/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { Bars } from '../../kit/detail/Bars.tsx'
import { ListEmpty, ListError } from '../../kit/list/ListStates.tsx'
import { useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall, useMayOpen } from '../../api/session.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { listAddress, useKinds } from './importWords.ts'
import styles from './imports.module.css'

type Group = OutputOf<typeof photoBoardGroup>

export default function PhotoBoardPage() {
  const { t, i18n } = useTranslation('imports')
  const [search, setSearch] = useSearchParams()
  const kinds = useKinds()
  const mayImport = useMayOpen(screens.staffImport)
  const kind = kinds.find((one) => one === search.get('kind')) ?? kinds[0] ?? 'staff'
  const board = useRead(importCalls.photoBoard, { query: { kind } })
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const groups = board.data?.toSorted((a, b) => b.withoutPhoto - a.withoutPhoto || b.persons - a.persons) ?? []
  const persons = groups.reduce((sum, group) => sum + group.persons, 0)
  const missing = groups.reduce((sum, { withoutPhoto }) => sum + withoutPhoto, 0)
  return (
    <Screen
      title={t('board.title')}
      note={board.data && missing > 0 && t('board.note', { missing: number(missing), persons: number(persons) })}
      actions={
        kinds.length > 1 && (
          <Segmented
            aria-label={t('kindOf')}
            value={kind}
            options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
            onChange={(value) => setSearch(value === kinds[0] ? {} : { kind: value }, { replace: true })}
          />
        )
      }
    >
      <p className={styles.words}>{t('board.words')}</p>
      {board.isPending && <Bars count={8} />}
      {board.isError && <ListError error={board.error} retry={() => void board.refetch()} />}
      {board.data && groups.length === 0 && (
        <ListEmpty
          filtered={false}
          clear={() => {}}
          title={t('board.nobody')}
          action={mayImport && <Link to={path('staffImport')}>{t('board.toImport')}</Link>}
        />
      )}
      {groups.length > 0 && missing === 0 && (
        <p className={styles.allDone} role="status">
          {t('board.allDone', { n: number(persons) })}
        </p>
      )}
      {groups.length > 0 && <Board groups={groups} kind={kind} />}
    </Screen>
  )
}

function Board({ groups, kind }: { groups: Group[]; kind: PersonKind }) {
  const { t } = useTranslation('imports')
  const { t: words } = useTranslation()
  return (
    <table className={styles.board}>
      <thead>
        <tr>
          <th scope="col">{t('group')}</th>
          <th scope="col">{t('board.with')}</th>
          <th scope="col">{t('board.without')}</th>
          <th scope="col">
            <span className="unseen">{words('list.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <BoardRow
            key={group.groupId}
            group={group}
            kind={kind}
            above={groups.find(({ groupId }) => groupId === group.parentId)?.groupName}
          />
        ))}
      </tbody>
    </table>
  )
}

function BoardRow({
  group: { groupId, groupName, persons, withoutPhoto },
  kind,
  above,
}: {
  group: Group
  kind: PersonKind
  above: string | undefined
}) {
  const { t, i18n } = useTranslation('imports')
  const navigate = useNavigate()
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const upload = useWrite(importCalls.create, { onDone: ({ id }) => void navigate(path('staffImportDetail', { id })) })
  const [mayImport, mayLink] = [useMayCall(importCalls.create), useMayCall(enrolmentCalls.createLink)]
  const have = persons - withoutPhoto
  const percent = persons > 0 ? (have / persons) * 100 : 0
  return (
    <tr data-done={withoutPhoto === 0 || undefined}>
      <th scope="row">
        <span className={styles.two}>
          <span title={groupName}>{groupName}</span>
          {above && <small>{above}</small>}
        </span>
      </th>
      <td>
        <Share percent={percent} words={t('board.of', { have: number(have), persons: number(persons) })} />
      </td>
      <td>
        {withoutPhoto === 0 ? (
          t('board.complete')
        ) : (
          <Link
            to={listAddress(kind, { hasFace: '0', groupId })}
            aria-label={t('board.show', { count: withoutPhoto, n: number(withoutPhoto), group: groupName })}
          >
            {t('board.missing', { count: withoutPhoto, n: number(withoutPhoto) })}
          </Link>
        )}
      </td>
      <td>
        {withoutPhoto > 0 && (
          <span className={styles.choose}>
            {mayLink && (
              <Button
                size="small"
                icon={<LinkOutlined />}
                aria-label={t('board.linkOf', { group: groupName })}
                onClick={() => void navigate(`${path('enrolmentLinks')}?groupId=${groupId}`)}
              >
                {t('board.sendLink')}
              </Button>
            )}
            {mayImport && (
              <Button
                size="small"
                icon={<UploadOutlined />}
                loading={upload.pending}
                aria-label={t('board.uploadOf', { group: groupName })}
                onClick={() => upload.run({ body: { kind, groupId, mode: 'createOnly' } })}
              >
                {t('board.upload')}
              </Button>
            )}
          </span>
        )}
      </td>
    </tr>
  )
}

function Share({ percent, words }: { percent: number; words: string }) {
  return (
    <span className={styles.share}>
      <i aria-hidden="true">
        <i style={{ width: `${percent}%` }} />
      </i>
      <span>{words}</span>
    </span>
  )
}
