/**
 * Migrations of the service's database: entry `n` upgrades a file from version `n` to `n + 1`.
 * Times are integer milliseconds since 1970, UTC. `seq` is the internal key in order of arrival; `id` is the UUID shown
 * by the API. Lists of strings are JSON arrays.
 */
export const migrations: readonly string[] = [
  `
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  token_sha256 TEXT NOT NULL UNIQUE,
  permission TEXT NOT NULL CHECK (permission IN ('full_access', 'sending_access')),
  domain_id TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;

CREATE TABLE domains (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- Lower-case ASCII.
  name TEXT NOT NULL UNIQUE,
  region TEXT NOT NULL,
  return_path TEXT NOT NULL,
  sending TEXT NOT NULL CHECK (sending IN ('enabled', 'disabled')),
  receiving TEXT NOT NULL CHECK (receiving IN ('enabled', 'disabled')),
  open_tracking INTEGER NOT NULL,
  click_tracking INTEGER NOT NULL,
  tracking_subdomain TEXT,
  -- JSON array with sending, receiving and tracking, each if its DNS records were found.
  verified TEXT NOT NULL,
  -- End of the running check of the DNS records.
  check_ends_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE inboxes (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  domain_id TEXT NOT NULL REFERENCES domains (id),
  email_address TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name TEXT NOT NULL,
  from_name TEXT,
  receiving_address TEXT,
  agent_instructions TEXT,
  agent_tone TEXT,
  agent_actions TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE threads (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  inbox_seq INTEGER NOT NULL REFERENCES inboxes (seq) ON DELETE CASCADE,
  folder TEXT NOT NULL CHECK (folder IN ('inbox', 'archive', 'spam', 'sent', 'trash')),
  purge_at INTEGER,
  subject TEXT,
  base_subject TEXT NOT NULL,
  -- The columns below are recalculated whenever one of the thread's e-mails changes.
  latest_email_seq INTEGER,
  received_at INTEGER NOT NULL DEFAULT 0,
  email_count INTEGER NOT NULL DEFAULT 0,
  unread_count INTEGER NOT NULL DEFAULT 0,
  outbound_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX threads_by_activity ON threads (inbox_seq, received_at DESC, latest_email_seq DESC);
CREATE INDEX threads_by_subject ON threads (inbox_seq, base_subject);
-- For the counts in GET /inboxes, which clients poll.
CREATE INDEX threads_unread ON threads (inbox_seq) WHERE folder = 'inbox' AND unread_count > 0;
CREATE INDEX threads_to_purge ON threads (purge_at) WHERE purge_at IS NOT NULL;

CREATE TABLE emails (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- ID in the search index, returned as matched_email_id.
  index_id TEXT NOT NULL UNIQUE,
  direction TEXT NOT NULL CHECK (direction IN ('inbound', 'outbound')),
  inbox_seq INTEGER REFERENCES inboxes (seq) ON DELETE CASCADE,
  thread_seq INTEGER REFERENCES threads (seq) ON DELETE CASCADE,
  received_at INTEGER NOT NULL,
  -- Time of storing, from which the search index's delay is measured.
  stored_at INTEGER NOT NULL,
  read INTEGER NOT NULL,
  message_id TEXT,
  subject TEXT,
  sender TEXT NOT NULL,
  recipients TEXT NOT NULL,
  cc TEXT NOT NULL,
  bcc TEXT NOT NULL,
  reply_to TEXT NOT NULL,
  delivered_to TEXT NOT NULL,
  has_attachment INTEGER NOT NULL,
  -- Inbound only.
  authentication TEXT,
  -- Outbound only.
  last_event TEXT,
  scheduled_at INTEGER,
  -- E-mails to test addresses get their events a moment after sending.
  next_event_at INTEGER,
  topic_id TEXT,
  tags TEXT
) STRICT;
CREATE INDEX emails_by_thread ON emails (thread_seq, received_at, seq);
CREATE INDEX emails_by_direction ON emails (direction, received_at DESC, seq DESC);
CREATE INDEX emails_by_inbox ON emails (inbox_seq, direction, received_at);
CREATE INDEX emails_next_event ON emails (next_event_at) WHERE next_event_at IS NOT NULL;
CREATE INDEX emails_scheduled ON emails (scheduled_at) WHERE last_event = 'scheduled';

CREATE TABLE email_contents (
  email_seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  text TEXT,
  html TEXT,
  headers TEXT NOT NULL,
  raw BLOB NOT NULL,
  raw_sha256 BLOB NOT NULL
) STRICT;
CREATE INDEX email_contents_by_hash ON email_contents (raw_sha256);

CREATE TABLE attachments (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  email_seq INTEGER NOT NULL REFERENCES emails (seq) ON DELETE CASCADE,
  -- Position among the raw message's attachments, to read the content from there.
  position INTEGER NOT NULL,
  filename TEXT,
  content_type TEXT NOT NULL,
  content_disposition TEXT,
  content_id TEXT,
  size INTEGER NOT NULL,
  -- 1 if the HTML body shows it by content_id, so readers don't see a separate file.
  is_inline INTEGER NOT NULL,
  -- 0 if the e-mail's attachment list leaves it out.
  is_listed INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX attachments_by_email ON attachments (email_seq, position);

-- Searchable text, folded once when the e-mail is stored.
CREATE TABLE search_index (
  email_seq INTEGER PRIMARY KEY REFERENCES emails (seq) ON DELETE CASCADE,
  sender TEXT NOT NULL,
  recipients TEXT NOT NULL,
  cc TEXT NOT NULL,
  bcc TEXT NOT NULL,
  subject_words TEXT NOT NULL,
  words TEXT NOT NULL
) STRICT;

-- All Message-IDs that a thread's e-mails have or refer to, to find the thread of later messages.
CREATE TABLE thread_references (
  inbox_seq INTEGER NOT NULL REFERENCES inboxes (seq) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
  PRIMARY KEY (inbox_seq, message_id, thread_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_references_by_thread ON thread_references (thread_seq);

CREATE TABLE labels (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  inbox_seq INTEGER NOT NULL REFERENCES inboxes (seq) ON DELETE CASCADE,
  name TEXT NOT NULL,
  color TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (inbox_seq, name)
) STRICT;

CREATE TABLE thread_labels (
  thread_seq INTEGER NOT NULL REFERENCES threads (seq) ON DELETE CASCADE,
  label_seq INTEGER NOT NULL REFERENCES labels (seq) ON DELETE CASCADE,
  PRIMARY KEY (thread_seq, label_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_labels_by_label ON thread_labels (label_seq);

CREATE TABLE drafts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  inbox_seq INTEGER NOT NULL REFERENCES inboxes (seq) ON DELETE CASCADE,
  recipients TEXT,
  cc TEXT NOT NULL,
  bcc TEXT NOT NULL,
  subject TEXT,
  html TEXT,
  text TEXT,
  thread_seq INTEGER REFERENCES threads (seq) ON DELETE CASCADE,
  reply_to_email_seq INTEGER REFERENCES emails (seq) ON DELETE SET NULL,
  sent_email_seq INTEGER REFERENCES emails (seq) ON DELETE SET NULL,
  sent_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX drafts_by_thread ON drafts (thread_seq);
CREATE UNIQUE INDEX one_unsent_reply_draft ON drafts (reply_to_email_seq)
  WHERE reply_to_email_seq IS NOT NULL AND sent_at IS NULL;

CREATE TABLE draft_attachments (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  draft_seq INTEGER NOT NULL REFERENCES drafts (seq) ON DELETE CASCADE,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  content BLOB NOT NULL
) STRICT;
CREATE INDEX draft_attachments_by_draft ON draft_attachments (draft_seq);

CREATE TABLE contacts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  first_name TEXT,
  last_name TEXT,
  unsubscribed INTEGER NOT NULL,
  properties TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX contacts_by_age ON contacts (created_at DESC, seq DESC);

CREATE TABLE contact_properties (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('string', 'number')),
  fallback_value TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE topics (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  description TEXT,
  default_subscription TEXT NOT NULL CHECK (default_subscription IN ('opt_in', 'opt_out')),
  visibility TEXT NOT NULL CHECK (visibility IN ('public', 'private')),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE contact_topics (
  contact_seq INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  topic_seq INTEGER NOT NULL REFERENCES topics (seq) ON DELETE CASCADE,
  subscription TEXT NOT NULL CHECK (subscription IN ('opt_in', 'opt_out')),
  PRIMARY KEY (contact_seq, topic_seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE segments (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE contact_segments (
  contact_seq INTEGER NOT NULL REFERENCES contacts (seq) ON DELETE CASCADE,
  segment_seq INTEGER NOT NULL REFERENCES segments (seq) ON DELETE CASCADE,
  PRIMARY KEY (contact_seq, segment_seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE contact_imports (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  counts TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  completed_at INTEGER
) STRICT;

CREATE TABLE idempotency_keys (
  key TEXT PRIMARY KEY,
  request_sha256 TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE oauth_grants (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  client_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  challenge TEXT NOT NULL,
  code_sha256 TEXT NOT NULL UNIQUE,
  code_until INTEGER NOT NULL,
  code_used_at INTEGER,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE TABLE oauth_refresh_tokens (
  sha256 TEXT PRIMARY KEY,
  grant_seq INTEGER NOT NULL REFERENCES oauth_grants (seq) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_refresh_tokens_by_grant ON oauth_refresh_tokens (grant_seq);
`,
  `
-- Lower-case addresses that get no mail. A second reason for an address doesn't replace the first.
CREATE TABLE suppressions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE,
  origin TEXT NOT NULL CHECK (origin IN ('bounce', 'complaint', 'manual')),
  -- ID of the e-mail that bounced or drew a complaint.
  source_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX suppressions_by_age ON suppressions (created_at DESC, seq DESC);
`,
  `
-- The newest version of each template. Earlier published versions are not stored.
CREATE TABLE templates (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version_id TEXT NOT NULL,
  name TEXT NOT NULL,
  alias TEXT UNIQUE,
  sender TEXT,
  subject TEXT,
  reply_to TEXT,
  html TEXT NOT NULL,
  text TEXT,
  variables TEXT NOT NULL,
  published_at INTEGER,
  -- 1 if changed since it was published.
  is_changed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX templates_by_age ON templates (created_at DESC, seq DESC);
`,
  `
-- The dashboard's assignee. The API can neither read nor change it.
ALTER TABLE threads ADD COLUMN assignee_email TEXT;
ALTER TABLE threads ADD COLUMN assigned_by_email TEXT;
-- JSON merged into the payload of the e-mail's latest event, such as the bounce.
ALTER TABLE emails ADD COLUMN event_details TEXT;
ALTER TABLE emails ADD COLUMN template_id TEXT;
-- JSON of the content as published, from which e-mails are sent.
ALTER TABLE templates ADD COLUMN published TEXT;
UPDATE templates SET published = json_object('sender', sender, 'subject', subject, 'reply_to', reply_to, 'html', html,
  'text', text, 'variables', variables) WHERE published_at IS NOT NULL;

CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  endpoint TEXT NOT NULL,
  -- JSON array of event types; NULL for all.
  events TEXT,
  status TEXT NOT NULL CHECK (status IN ('enabled', 'disabled')),
  signing_secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until INTEGER,
  -- Time of the first failed attempt since the last successful one.
  failing_since INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhook_events (
  seq INTEGER PRIMARY KEY,
  -- Shared by all webhooks that get the event.
  id TEXT NOT NULL,
  webhook_seq INTEGER NOT NULL REFERENCES webhooks (seq) ON DELETE CASCADE,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'attempting', 'success', 'failed')),
  -- Scheduled attempts made, without replays.
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  -- 1 if a replay is queued.
  is_replayed INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE (webhook_seq, id)
) STRICT;
CREATE INDEX webhook_events_by_webhook ON webhook_events (webhook_seq, seq);
CREATE INDEX webhook_events_due ON webhook_events (webhook_seq, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_events_replayed ON webhook_events (webhook_seq) WHERE is_replayed = 1;

CREATE TABLE webhook_attempts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event_seq INTEGER NOT NULL REFERENCES webhook_events (seq) ON DELETE CASCADE,
  -- 0 if the endpoint didn't respond.
  http_status_code INTEGER NOT NULL,
  response TEXT NOT NULL,
  sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_attempts_by_event ON webhook_attempts (event_seq, seq);
`,
]
