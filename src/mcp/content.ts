import type { JsonObject } from '../agent/json';

/** For whom a block is, how much it matters from 0 to 1, and when it was last changed. */
export interface ContentAnnotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  /** An ISO 8601 instant. */
  readonly lastModified?: string;
}

/** What every block may carry. */
export interface ContentMetadata {
  readonly annotations?: ContentAnnotations;
  readonly _meta?: JsonObject;
}

/** Text. */
export interface TextContent extends ContentMetadata {
  readonly type: 'text';
  readonly text: string;
}

/** An image or a sound; `data` is base64. */
export interface MediaContent extends ContentMetadata {
  readonly type: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: string;
}

/** A resource inside the result: `text`, or `blob` in base64. */
export interface EmbeddedResource extends ContentMetadata {
  readonly type: 'resource';
  readonly resource: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
    readonly _meta?: JsonObject;
  };
}

/** A link to a resource. */
export interface ResourceLink extends ContentMetadata {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

/** One block of what a tool gives back. */
export type ContentBlock = TextContent | MediaContent | EmbeddedResource | ResourceLink;

/** An image that a client may show for a tool. */
export interface Icon {
  /** An `https:` or `data:` address. */
  readonly src: string;
  readonly mimeType?: string;
  /** Such as `48x48`, or `any`. */
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** A block of text. */
export function textContent(text: string): TextContent {
  return { type: 'text', text };
}
