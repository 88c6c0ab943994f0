/** The dialog that starts an import: the register, the group, and whether persons who are already registered are changed. */
import { Form, Radio, Segmented, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { IMPORT_MODES, importCalls } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { groupTypeOf } from '@gatehouse/contract/people/group-type'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ready } from '../../kit/form/loaded.ts'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { path } from '../../paths.ts'
import { useKinds } from './importWords.ts'
import styles from './imports.module.css'

export default function ImportDialog({ editor }: { editor: Editor<never> }) {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  const kinds = useKinds()
  return (
    <FormDialog
      call={importCalls.create}
      editor={editor}
      width={520}
      title={t('new')}
      submit={t('next')}
      initial={ready({ kind: kinds[0] ?? 'staff', mode: 'createOnly', groupId: undefined })}
      done={t('begun')}
      onDone={({ id }) => void navigate(path('staffImportDetail', { id }))}
      draft="imports.new"
    >
      <ImportFields kinds={kinds} />
    </FormDialog>
  )
}

function ImportFields({ kinds }: { kinds: PersonKind[] }) {
  const { t } = useTranslation('imports')
  const form = Form.useFormInstance()
  const kind = (Form.useWatch('kind', form) as PersonKind | undefined) ?? kinds[0] ?? 'staff'
  const groups = useRead(peopleCalls.groupTree, { query: { type: groupTypeOf(kind) } })
  return (
    <>
      {kinds.length > 1 && (
        <Form.Item name="kind" label={t('kindOf')}>
          {/* A group belongs to one register. */}
          <Segmented
            aria-label={t('kindOf')}
            options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
            onChange={() => form.setFieldValue('groupId', undefined)}
          />
        </Form.Item>
      )}
      <Form.Item name="groupId" label={t('group')} required extra={t('groupHint')}>
        <TreeSelect
          treeData={choicesOf(groups.data ?? [])}
          loading={groups.isPending}
          treeDefaultExpandAll
          showSearch={{ treeNodeFilterProp: 'title' }}
          placeholder={t('chooseGroup')}
        />
      </Form.Item>
      <Form.Item name="mode" label={t('registered')}>
        <Radio.Group
          className={styles.modes}
          options={IMPORT_MODES.map((value) => ({
            value,
            label: (
              <span className={styles.two}>
                <span>{t(`mode.${value}`)}</span>
                <small>{t(`modeHint.${value}`)}</small>
              </span>
            ),
          }))}
        />
      </Form.Item>
    </>
  )
}
