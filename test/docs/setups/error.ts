export declare const error: unknown;
export declare function notify(data: unknown): void;
