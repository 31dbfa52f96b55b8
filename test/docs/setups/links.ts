export declare function answerUrl(executionId: string, requestId: string, at: string): string;
