export declare function audit(tool: string, failed: boolean): void;
