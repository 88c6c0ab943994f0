/** The documents that visitors agree to or sign on their phones, with their texts in each language. */
import { PlusOutlined } from '@ant-design/icons'
import { Button, Form } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { InputOf } from '@gatehouse/contract'
import { visitorDocumentCalls, type VisitorDocuments } from '@gatehouse/contract/visitors/documents'
import { DOCUMENTS_MAX } from '@gatehouse/contract/visitors/signing'
import { useMayCall } from '../../../api/session.ts'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { loadedFrom } from '../../../kit/form/loaded.ts'
import { SettingsFoot } from '../../../kit/form/SettingsFoot.tsx'
import { useStoredForm } from '../../../kit/form/useStoredForm.ts'
import { DocumentFields } from './DocumentFields.tsx'
import styles from './settings.module.css'

type Documents = NonNullable<InputOf<typeof visitorDocumentCalls.change.body>['documents']>
interface Values {
  documents: Documents
  version: number
}

const valuesOf = ({ documents, version }: VisitorDocuments): Values => ({
  documents: documents.map(({ textVersion: _, ...document }) => document),
  version,
})

export function DocumentsEditor() {
  const mayRead = useMayCall(visitorDocumentCalls.list)
  return mayRead ? <Editor /> : null
}

function Editor() {
  const { t } = useTranslation('visitors')
  const id = useId()
  const { found, contract, unsaved, startOver } = useStoredForm({
    read: visitorDocumentCalls.list,
    save: visitorDocumentCalls.change,
    draft: 'visitorDocuments',
    done: t('saved'),
    valuesOf,
  })
  return (
    <section className={styles.editor} aria-label={t('documents.title')}>
      <header>
        <h2>{t('documents.title')}</h2>
        <p>{t('documents.words')}</p>
      </header>
      <FormBody id={id} initial={loadedFrom(found, valuesOf)} contract={contract}>
        <Lines changed={contract.changed} versions={new Map((found.data?.documents ?? []).map((one) => [one.id, one.textVersion]))} />
      </FormBody>
      <SettingsFoot
        form={id}
        unsaved={unsaved}
        pending={contract.pending}
        texts={{ save: t('documents.save'), discard: t('settings.discard'), unsaved: t('settings.unsaved') }}
        discard={() => void startOver()}
        hasDiscard={unsaved || contract.failures.length > 0}
      />
    </section>
  )
}

interface LinesProps {
  /** Called when a document is added or removed: the form notices only typing. */
  changed: () => void
  /** Current version by document. */
  versions: ReadonlyMap<string, number>
}

function Lines({ changed, versions }: LinesProps) {
  const { t } = useTranslation('visitors')
  return (
    <Form.List name="documents">
      {(lines, { add, remove }, { errors }) => (
        <>
          <Form.ErrorList errors={errors} />
          {lines.length === 0 && <p className={styles.none}>{t('documents.none')}</p>}
          {lines.map(({ key, name: at }) => (
            <DocumentFields
              key={key}
              at={at}
              versions={versions}
              remove={() => {
                remove(at)
                changed()
              }}
            />
          ))}
          {lines.length < DOCUMENTS_MAX ? (
            <Button
              icon={<PlusOutlined />}
              onClick={() => {
                add({ agreement: 'sign', enabled: true, texts: {} })
                changed()
              }}
            >
              {t('documents.add')}
            </Button>
          ) : (
            <p className={styles.none}>{t('documents.full', { count: DOCUMENTS_MAX })}</p>
          )}
        </>
      )}
    </Form.List>
  )
}
